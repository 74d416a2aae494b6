// Moments as the command line takes them.

// `Date.parse` reads much else besides, each engine in its own way.
const ISO = /^\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?$/;

/** Whether a text is a moment in ISO 8601, from the month on. */
export const isTime = (text: string): boolean => ISO.test(text) && !Number.isNaN(Date.parse(text));
