import Foundation
import Testing

@testable import S3Protocol

struct AWSTimestampTests {
    @Test(
        "formatting and parsing a timestamp are inverse",
        arguments: [
            ("19700101T000000Z", 0.0), ("20150830T123600Z", 1_440_938_160), ("20000229T235959Z", 951_868_799),
            ("20240229T000000Z", 1_709_164_800), ("21000301T000000Z", 4_107_542_400),
        ])
    func roundTrip(_ text: String, _ seconds: Double) {
        #expect(AWSTimestamp(Date(timeIntervalSince1970: seconds)).description == text)
        #expect(AWSTimestamp(text)?.date.timeIntervalSince1970 == seconds)
    }

    @Test(
        "a malformed timestamp is rejected",
        arguments: [
            "", "20150830T123600", "20150830T123600z", "20150830 123600Z", "20150830T123600Z ", "20150230T000000Z",
            "20151301T000000Z", "20150830T240000Z", "20150830T126000Z", "19691231T235959Z", "+0150830T123600Z",
            "２0150830T12360Z",
        ])
    func refused(_ text: String) { #expect(AWSTimestamp(text) == nil) }

    @Test(
        "dates outside the supported years do not trap",
        arguments: [-1e30, 1e30, -Double.infinity, Double.infinity, .nan])
    func extremes(_ seconds: Double) {
        #expect(AWSTimestamp(Date(timeIntervalSince1970: seconds)).description.utf8.count == 16)
    }
}
