import Testing

@testable import PhotoCatalog

/// Durations of videos.
struct MediaDurationTests {
    @Test(
        "units become the nearest milliseconds",
        arguments: [
            (1500, 600, 2500), (1, 3, 333), (2, 3, 667), (90_000, 90_000, 1000), (1, 2000, 1), (1, 2001, nil),
            (0, 600, nil), (5, 0, nil), (4_294_967_295, 1000, .max), (4_294_967_296, 1000, nil), (.max, 1, nil),
            (.max, .max, nil), (UInt64(UInt32.max) * 7, .max, 7000),
        ] as [(UInt64, UInt32, UInt32?)])
    func units(units: UInt64, timescale: UInt32, milliseconds: UInt32?) {
        #expect(MediaDuration(units: units, timescale: timescale)?.milliseconds == milliseconds)
    }
}
