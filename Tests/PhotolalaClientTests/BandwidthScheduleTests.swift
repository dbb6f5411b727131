import Foundation
import Testing

@testable import PhotolalaClient

@Suite("Bandwidth schedules") struct BandwidthScheduleTests {
    private typealias Period = BandwidthSchedule.Period

    @Test("the last period that began applies, also over midnight")
    func periods() throws {
        let schedule = try BandwidthSchedule([
            Period(minute: 23 * 60, bytesPerSecond: nil), Period(minute: 8 * 60, bytesPerSecond: 100_000),
        ])
        let rates = [(0, nil), (479, nil), (480, 100_000), (1379, 100_000), (1380, nil)] as [(Int, Int?)]
        for (minute, rate) in rates { #expect(schedule.bytesPerSecond(atMinute: minute) == rate, "\(minute)") }
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        for (hour, rate) in [(22.9, nil), (23.1, 100_000)] as [(Double, Int?)] {
            let date = Date(timeIntervalSince1970: -86_400 + hour * 3600)
            #expect(schedule.bytesPerSecond(at: date, in: tokyo) == rate, "\(hour) UTC is \(hour + 9) in Tokyo")
        }
    }

    @Test("so few files are transferred at the same time that each is fast enough")
    func parallel() async throws {
        for (rate, files) in [(40_000, 1), (160_000, 2), (2_000_000, 25)] {
            #expect(try BandwidthSchedule(bytesPerSecond: rate).maximumParallelFiles == files)
        }
        let schedule = try BandwidthSchedule([
            Period(minute: 0, bytesPerSecond: nil), Period(minute: 1, bytesPerSecond: 80_000),
        ])
        let network = PhotolalaNetwork(bandwidth: schedule)
        #expect(network.maximumParallelFiles == 1)
        await network.close()
    }

    @Test("a rate below the minimum, an impossible time and a repeated one are refused")
    func refused() {
        for periods in [[], [(0, 39_999)], [(1440, 50_000)], [(-1, 50_000)], [(60, 50_000), (60, 60_000)]] {
            let error = #expect(throws: PhotolalaError.self) {
                _ = try BandwidthSchedule(periods.map { Period(minute: $0.0, bytesPerSecond: $0.1) })
            }
            #expect(error?.code == .invalidRequest)
        }
    }
}
