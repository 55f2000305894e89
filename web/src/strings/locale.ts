// Language of the strings and of the numbers among them.
export const locale = 'en';
