import Testing

@testable import PhotoCatalog

struct TimestampTests {
    @Test(
        "a date is written in RFC 3339 format and read back unchanged",
        arguments: [
            (0, 0, "1970-01-01T00:00:00Z"), (-1, 500_000_000, "1969-12-31T23:59:59.5Z"),
            (951_782_400, 0, "2000-02-29T00:00:00Z"), (1_709_210_096, 123_456_789, "2024-02-29T12:34:56.123456789Z"),
            (253_402_300_799, 1, "9999-12-31T23:59:59.000000001Z"), (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
            (-2_203_891_201, 0, "1900-02-28T23:59:59Z"),
        ] as [(Int64, Int64, String)]
    )
    func roundTrip(seconds: Int64, nanoseconds: Int64, text: String) {
        let moment = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        #expect(moment.description == text)
        #expect(Timestamp(text) == moment)
    }

    @Test("an offset is converted to UTC")
    func offsets() {
        #expect(Timestamp("2024-05-01T02:00:00+09:30")?.description == "2024-04-30T16:30:00Z")
        #expect(Timestamp("2024-05-01T02:00:00-00:15")?.description == "2024-05-01T02:15:00Z")
    }

    @Test(
        "malformed text is refused",
        arguments: [
            "", "2024", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01 00:00:00Z",
            "2024-01-01T24:00:00Z", "2024-01-01T00:00:00", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.1234567890Z",
            "2024-01-01T00:00:00+24:00", "+024-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "2024-01-01T00:00:00ZZ",
            "0001-01-01T00:00:00+00:01", "٢٠٢٤-01-01T00:00:00Z",
        ]
    )
    func refused(text: String) { #expect(Timestamp(text) == nil) }

    @Test("an out of range file date is clamped to the nearest valid one")
    func clamped() {
        #expect(Timestamp(seconds: .max, nanoseconds: 5).description == "9999-12-31T23:59:59Z")
        #expect(Timestamp(seconds: .min, nanoseconds: -5).description == "0001-01-01T00:00:00Z")
    }
}
