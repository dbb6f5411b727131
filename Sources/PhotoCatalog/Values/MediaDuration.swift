/// The duration of a video, up to 49 days.
package struct MediaDuration: Sendable, Hashable, Comparable {
    /// At least 1.
    package let milliseconds: UInt32

    /// Returns `nil` for 0.
    package init?(milliseconds: UInt32) {
        guard milliseconds > 0 else { return nil }
        self.milliseconds = milliseconds
    }

    /// Returns the nearest duration; `nil` outside of the range.
    /// - Parameter timescale: The number of units in a second.
    init?(units: UInt64, timescale: UInt32) {
        let scale = UInt64(timescale)
        guard scale > 0, units / scale <= UInt64(UInt32.max) / 1000 else { return nil }
        let milliseconds = units / scale * 1000 + (units % scale * 1000 + scale / 2) / scale
        guard let milliseconds = UInt32(exactly: milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// Returns `nil` for anything but a decimal number in the range.
    init?(utf8: some Collection<UInt8>) {
        guard let number = UInt64(decimal: utf8), let milliseconds = UInt32(exactly: number) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    package static func < (left: MediaDuration, right: MediaDuration) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
