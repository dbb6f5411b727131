// The account page.

import "./profile_picture.js";
import "./typed_texts.js";
import "./undo_setting.js";
