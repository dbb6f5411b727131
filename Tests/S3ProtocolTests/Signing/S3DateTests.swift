import Foundation
import Testing

@testable import S3Protocol

struct S3DateTests {
    private let date = Date(timeIntervalSince1970: 784_111_777)

    @Test("dates are formatted and parsed in both formats")
    func forms() {
        #expect(S3Date.http(date) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(S3Date.xml(date) == "1994-11-06T08:49:37.000Z")
        #expect(S3Date.http("Sun, 06 Nov 1994 08:49:37 GMT") == date)
        for text in ["1994-11-06T08:49:37.000Z", "1994-11-06T08:49:37Z"] { #expect(S3Date.xml(text) == date) }
    }

    @Test("dates on every weekday and in every month are unchanged after formatting and parsing")
    func names() {
        for day in 0..<400 {
            let date = date.addingTimeInterval(Double(day) * 86_400)
            #expect(S3Date.http(S3Date.http(date)) == date)
        }
    }

    @Test(
        "obsolete and malformed dates are rejected",
        arguments: [
            "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "",
        ])
    func nonsense(text: String) { #expect(S3Date.http(text) == nil) }
}
