import Foundation
import PhotoCatalog
import Testing

@testable import PhotoSync

@Suite("Capture zones") struct CaptureZoneTests {
    @Test("a device set to UTC has no capture zone, and one set to a place has one")
    func deviceZone() throws {
        for name in ["UTC", "GMT", "Etc/UTC"] {
            #expect(CaptureZone(ofDevice: try #require(TimeZone(identifier: name))) == nil, "\(name)")
        }
        for name in ["Asia/Tokyo", "Atlantic/Reykjavik", "Etc/GMT+5"] {
            #expect(CaptureZone(ofDevice: try #require(TimeZone(identifier: name))) != nil, "\(name)")
        }
    }

    @Test("skipped and repeated local times have one offset")
    func zone() throws {
        let zone = CaptureZone(try #require(TimeZone(identifier: "America/New_York")))
        func date(_ clock: String) throws -> String? {
            zone.date(ofClock: try #require(Timestamp(clock)))?.description
        }
        #expect(try date("2026-01-01T08:00:00Z") == "2026-01-01T08:00:00-05:00")
        #expect(try date("2026-07-01T08:00:00Z") == "2026-07-01T08:00:00-04:00")
        // A skipped local time, and a repeated one.
        #expect(try date("2026-03-08T02:30:00Z") == "2026-03-08T02:30:00-05:00")
        #expect(try date("2026-11-01T01:30:00Z") == "2026-11-01T01:30:00-04:00")
        #expect(
            zone.date(of: try #require(Timestamp("2026-01-01T04:00:00Z")))?.description == "2025-12-31T23:00:00-05:00")
    }
}
