"use strict";

// The theme: what the reader chose, else what the system prefers. Set before anything is painted.
const THEME_KEY = "torres-theme";

function rememberedTheme() {
  try {
    return localStorage.getItem(THEME_KEY) || "auto";
  } catch {
    return "auto"; // no storage in this browser or for this file
  }
}

function showTheme(theme) {
  document.documentElement.dataset.theme = ["light", "dark"].includes(theme) ? theme : "auto";
}

function chooseTheme(theme) {
  showTheme(theme);
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // it is forgotten with the page
  }
}

function setUpThemes() {
  for (const radio of document.querySelectorAll("input[name=theme]")) {
    radio.checked = radio.value === document.documentElement.dataset.theme;
    radio.addEventListener("change", () => chooseTheme(radio.value));
  }
  document.querySelector(".themes").hidden = false;
}

// Sorting: a click on a heading sorts by its column, another one turns the order round.
function compareRows(column, isNumber) {
  const valueOf = (row) => row.cells[column].dataset.value;
  return isNumber
    ? (a, b) => Number(valueOf(a)) - Number(valueOf(b))
    : (a, b) => valueOf(a).localeCompare(valueOf(b));
}

function sortBy(heading) {
  const table = heading.closest("table");
  const isNumber = heading.classList.contains("number");
  const before = heading.getAttribute("aria-sort");
  const isDown = before ? before === "ascending" : isNumber && heading.cellIndex > 0;
  for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", isDown ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows].sort(compareRows(heading.cellIndex, isNumber));
  table.tBodies[0].append(...(isDown ? rows.reverse() : rows));
}

function setUpTables() {
  for (const button of document.querySelectorAll("table.sortable th button")) {
    button.addEventListener("click", () => sortBy(button.closest("th")));
  }
}

// The numbers of the report as a file.
function setUpDownload() {
  const link = document.getElementById("download");
  const text = document.getElementById("report").textContent;
  const indented = JSON.stringify(JSON.parse(text), null, 2) + "\n";
  link.href = URL.createObjectURL(new Blob([indented], { type: "application/json" }));
  link.hidden = false;
}

showTheme(rememberedTheme());
document.addEventListener("DOMContentLoaded", () => {
  setUpThemes();
  setUpTables();
  setUpDownload();
});
