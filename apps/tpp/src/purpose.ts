/** What a consent is for: the scope of its tokens. */
export type Purpose = 'payments' | 'accounts' | 'fundsconfirmations';
