import Foundation
import Localization
import PhotoCatalog

extension MediaDuration {
    /// The whole seconds as they are shown; at least 1.
    private var shownSeconds: Int { max(1, (Int(milliseconds) + 500) / 1000) }

    /// The duration as players show it: `0:12`, or `1:02:03`.
    var clock: String {
        let (hours, minutes, seconds) = (shownSeconds / 3600, shownSeconds / 60 % 60, shownSeconds % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, seconds) : String(format: "%d:%02d", minutes, seconds)
    }

    /// Returns the duration in words: `1 minute, 5 seconds`.
    func words(in texts: LocalizedStrings) -> String { texts.wait(shownSeconds) }
}
