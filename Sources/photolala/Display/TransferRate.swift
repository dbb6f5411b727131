/// How fast bytes have moved of late, and how long the rest will take. Time is in seconds from any fixed moment.
struct TransferRate {
    /// A rate over the last seconds follows the network without trembling.
    private static let window = 10.0
    private var samples: [(time: Double, bytes: Int64)]

    init(start: Double) { samples = [(start, 0)] }

    /// Notes how many bytes have moved in all.
    mutating func note(_ bytes: Int64, at time: Double) {
        guard let last = samples.last, time > last.time else { return }
        samples.append((time, bytes))
        // The oldest one kept stands before the window, so that the window is always filled.
        while samples.count > 2, samples[1].time <= time - Self.window { samples.removeFirst() }
    }

    /// Bytes a second, `nil` before there is anything to tell.
    var bytesPerSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= 0.5 else { return nil }
        return Double(max(0, last.bytes &- first.bytes)) / (last.time - first.time)
    }

    /// Seconds until so many bytes more have moved, `nil` when nothing moves.
    func secondsLeft(for bytes: Int64) -> Double? {
        guard let rate = bytesPerSecond, rate > 0 else { return nil }
        return Double(max(0, bytes)) / rate
    }
}
