import Testing

@testable import PhotoCatalog

/// Dates with a UTC offset, as written in catalogs, journals and `--json` output.
@Suite struct CaptureDateTests {
    @Test(
        "a date is preserved with its offset or Z",
        arguments: [
            "2026-01-01T08:00:00+09:00", "2025-12-31T23:00:00Z", "2026-01-01T00:00:00+00:00",
            "2024-05-01T12:30:45.25-03:30", "1826-01-01T00:00:00Z", "2199-12-31T23:59:59.999999999Z",
            "2000-02-29T23:59:59+14:00",
        ])
    func roundTrip(text: String) throws {
        #expect(try #require(CaptureDate(text)).description == text)
    }

    @Test("the moment is in UTC, and the clock is the local time")
    func clock() throws {
        let date = try #require(CaptureDate("2026-01-01T08:00:00+09:00"))
        #expect(date.moment == Timestamp("2025-12-31T23:00:00Z") && date.offset == 540)
        #expect(date.clock == Timestamp("2026-01-01T08:00:00Z"))
        #expect(date.clock.month == CalendarMonth(year: 2026, month: 1))
        let unknown = try #require(CaptureDate("2025-12-31T23:00:00Z"))
        #expect(unknown.offset == nil && unknown.clock == unknown.moment)
        #expect(CaptureDate("2026-01-01T00:00:00+00:00")?.offset == 0)
    }

    @Test(
        "a year out of range or malformed text is refused",
        arguments: [
            "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1825-12-31T23:59:59Z", "2200-01-01T00:00:00Z",
            "2026-01-01", "2026-01-01T08:00:00", "2026-01-01T08:00:00+0900", "",
        ])
    func refused(text: String) {
        #expect(CaptureDate(text) == nil)
    }

    @Test("a known offset wins, then the later moment, then the larger offset")
    func order() throws {
        let order = try [
            "2025-12-31T23:00:00Z", "2026-01-01T08:00:00Z", "2025-12-31T22:00:00+00:00", "2025-12-31T23:00:00+00:00",
            "2026-01-01T08:00:00+09:00",
        ].map { try #require(CaptureDate($0)) }
        for (index, date) in order.enumerated() {
            for (other, smaller) in order.enumerated() {
                #expect(date.wins(over: smaller) == (index > other), "\(date) \(smaller)")
            }
        }
    }
}
