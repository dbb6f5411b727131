// The pages of the account.

import { dialogs } from "./dialogs.js";
import "./profile_picture.js";
import "./session_check.js";
import "./typed_texts.js";
import "./undo_setting.js";

dialogs.resume();
