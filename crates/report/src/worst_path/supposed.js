for (const row of document.querySelectorAll("tr[data-points]")) {
  const points = JSON.parse(row.dataset.points);
  const [least, most] = [Number(row.dataset.least), Number(row.dataset.most)];
  const input = row.querySelector("input");
  const now = points.find(([n]) => n === most)[1];
  const change = (time) => (time === now ? "" :
    time < now ? `, ${now - time} less` : `, ${time - now} more`);
  const answer = (n) => {
    const known = points.find(([tried]) => tried >= n);
    if (!Number.isInteger(n) || n < 0) return ["a whole number", 0];
    if (n < least) return ["impossible: no path leaves the loop that early", 0];
    if (known) {
      const as = known[0] === n ? "" : ` (as for ${known[0]})`;
      return [`at most ${known[1]} ${row.dataset.unit}${change(known[1])}${as}`, known[1]];
    }
    return row.dataset.proved === "true" ?
      [`at most ${now} ${row.dataset.unit}: it does not iterate more often anyway`, now] :
      ["not computed: ask fusee wcet with --what-if", 0];
  };
  const show = () => {
    const [text, time] = answer(input.value === "" ? NaN : Number(input.value));
    row.querySelector("output").textContent = text;
    row.querySelector("progress").value = time;
  };
  input.addEventListener("input", show);
  show();
}
