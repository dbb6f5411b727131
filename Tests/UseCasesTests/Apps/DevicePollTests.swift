import Foundation
import PhotolalaTesting
import Testing

@testable import UseCases

/// RFC 8628 section 3.5: a device that polls too often gets slow_down; polling state is bounded.
@Suite struct DevicePollTests {
    private let clock = TestClock()

    private func polls(remembering most: Int = 100) -> DevicePolls {
        DevicePolls(remembering: most) { [clock] in clock.now }
    }

    private func id(_ number: UInt8) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
    }

    private func isEarly(_ polls: DevicePolls, _ number: UInt8 = 1) -> Bool {
        do throws(ServiceError) { try polls.recordPoll(id(number)) } catch { return error == .slowDown }
        return false
    }

    @Test("a device that keeps its interval is answered, with one second of network tolerance")
    func patient() {
        let polls = polls()
        for pause in [0, 5, 5, 4, 5.5, 60] as [TimeInterval] {
            clock.advance(by: pause)
            #expect(!isEarly(polls))
        }
    }

    @Test("each early poll lengthens that device's interval by five seconds")
    func grows() {
        let polls = polls()
        #expect(!isEarly(polls) && isEarly(polls))
        clock.advance(by: 5)
        #expect(isEarly(polls))
        clock.advance(by: 9)
        #expect(!isEarly(polls), "fourteen seconds of fifteen have passed")
        clock.advance(by: 13)
        #expect(isEarly(polls) && !isEarly(polls, 2))
        clock.advance(by: 7)
        #expect(!isEarly(polls))
        clock.advance(by: 20)
        #expect(!isEarly(polls))
    }

    @Test("a device that polls every second is eventually answered once a minute")
    func stubborn() {
        let polls = polls()
        var answered: [Int] = []
        for second in 0..<300 {
            if !isEarly(polls) { answered.append(second) }
            clock.advance(by: 1)
        }
        #expect(answered.count == 6 && zip(answered, answered.dropFirst()).allSatisfy { $1 - $0 <= 60 })
    }

    @Test("a clock that is set back delays no device for longer than its interval")
    func clockSetBack() {
        let polls = polls()
        #expect(!isEarly(polls))
        clock.advance(by: -3600)
        #expect(isEarly(polls))
        clock.advance(by: 15)
        #expect(!isEarly(polls))
    }

    @Test("memory is bounded, and a recently seen device is not evicted by new ones")
    func bounded() {
        let polls = polls(remembering: 10)
        for number in 0..<200 as Range<UInt8> {
            #expect(!isEarly(polls, number))
            #expect(isEarly(polls, number))
            #expect(polls.count <= 10)
        }
    }
}
