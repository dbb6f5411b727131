// The account page.

import "./profile_picture.js";
import "./undo_setting.js";
