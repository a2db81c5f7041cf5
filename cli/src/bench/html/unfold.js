// There is room for the numbers on a wide screen and on paper.
let unfold = () => document.querySelectorAll("section details").forEach((details) => (details.open = true));
if (matchMedia("(min-width: 60rem)").matches) {
  unfold();
}
addEventListener("beforeprint", unfold);
