/** Why an account with limits is refused where a request concerns the whole home. */
export const NOT_FOR_LIMITED = "Your account is limited to a part of the home, and this concerns all of it.";
