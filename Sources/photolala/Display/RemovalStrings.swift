import Foundation

/// Formats how long a removed device can still reach the photo store.
enum RemovalStrings {
    /// - Parameters:
    ///   - seconds: The server's value; `nil` if the server does not report it.
    ///   - subject: The owner of the credentials, such as `The device's`.
    static func sentence(_ seconds: Int?, after time: Date, subject: String) -> String {
        guard let seconds else { return "\(subject) storage credentials remain valid for up to an hour." }
        guard seconds > 0 else { return "\(subject) storage credentials have expired." }
        let end = DateText.minute(time.addingTimeInterval(TimeInterval(seconds) + 59))
        return "\(subject) storage credentials remain valid until \(end) at the latest."
    }
}
