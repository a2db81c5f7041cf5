// Shows the button that copies the command, if the browser allows it.
let button = document.getElementById("copy");
if (navigator.clipboard) {
  button.hidden = false;
  button.onclick = async () => {
    await navigator.clipboard.writeText(document.getElementById("command").textContent);
    button.textContent = "Copied";
  };
}
