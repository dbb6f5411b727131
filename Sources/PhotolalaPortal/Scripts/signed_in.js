// The pages of an account that have no other script, such as those that ask something.

import "./session_check.js";
import "./typed_texts.js";
