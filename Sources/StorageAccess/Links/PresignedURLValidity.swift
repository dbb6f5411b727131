import Foundation

/// The start and duration of a signed URL's validity. URLs signed within the same few minutes are identical, so a
/// browser can reuse cached responses.
package struct PresignedURLValidity: Sendable, Equatable {
    /// The minimum validity of a link, in seconds, unless its credentials expire earlier.
    package static let minimumDuration: TimeInterval = 900
    private static let granularity: TimeInterval = 600
    /// The maximum validity, in seconds.
    package static let maximumDuration = minimumDuration + granularity

    package let from: Date
    /// The validity in whole seconds.
    package let seconds: Int

    /// The end of the validity.
    package var end: Date { from.addingTimeInterval(TimeInterval(seconds)) }

    /// - Parameter end: The expiry of the credentials; no link outlives them.
    package init(at now: Date, until end: Date) {
        from = Date(
            timeIntervalSince1970: (now.timeIntervalSince1970 / Self.granularity).rounded(.down) * Self.granularity)
        seconds = max(1, Int(min(Self.maximumDuration, end.timeIntervalSince(from))))
    }

    /// Creates the validity of a link that is used immediately.
    /// - Parameters:
    ///   - lifetime: The validity in seconds.
    ///   - end: The expiry of the credentials.
    package init(at now: Date, lasting lifetime: TimeInterval, until end: Date) {
        from = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
        seconds = max(1, Int(min(lifetime, end.timeIntervalSince(from))))
    }
}
