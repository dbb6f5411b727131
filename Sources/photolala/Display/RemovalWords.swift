import Foundation

/// Until when a removed device may still reach the photo store.
enum RemovalWords {
    /// - Parameters:
    ///   - seconds: as the server says; `nil` from one that does not.
    ///   - subject: whose credentials are meant, such as `The device's`.
    static func sentence(_ seconds: Int?, after time: Date, subject: String) -> String {
        guard let seconds else { return "\(subject) storage credentials may go on for up to an hour." }
        guard seconds > 0 else { return "\(subject) storage credentials have ended." }
        let end = DateText.minute(time.addingTimeInterval(TimeInterval(seconds) + 59))
        return "\(subject) storage credentials can still reach your photos until \(end) at the latest."
    }
}
