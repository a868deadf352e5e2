/** @returns SVG of the table of cases on a page */
export function drawPlot(page: string): string;
