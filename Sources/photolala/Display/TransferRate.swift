/// The recent transfer rate and the remaining time. Times are seconds since an arbitrary fixed time.
struct TransferRate {
    /// The averaging window, in seconds: short enough to follow the network and long enough to be stable.
    private static let window = 10.0
    private var samples: [(time: Double, bytes: Int64)]

    init(start: Double) { samples = [(start, 0)] }

    /// Records the total number of transferred bytes.
    mutating func record(_ bytes: Int64, at time: Double) {
        guard let last = samples.last, time > last.time else { return }
        samples.append((time, bytes))
        // The oldest sample precedes the window, so that the samples always cover it.
        while samples.count > 2, samples[1].time <= time - Self.window { samples.removeFirst() }
    }

    /// The rate in bytes per second; `nil` for less than half a second of samples.
    var bytesPerSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= 0.5 else { return nil }
        return Double(max(0, last.bytes &- first.bytes)) / (last.time - first.time)
    }

    /// Returns the number of seconds until the given number of bytes is transferred; `nil` if nothing is being
    /// transferred.
    func secondsLeft(for bytes: Int64) -> Double? {
        guard let rate = bytesPerSecond, rate > 0 else { return nil }
        return Double(max(0, bytes)) / rate
    }
}
