"""Parts of the pages that the commands write: one self-contained HTML file each."""
