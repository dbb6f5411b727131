import Foundation
import Logging
import Synchronization
import Testing

@testable import ServiceWiring

/// Each event is one line of JSON, whatever its content.
@Suite struct JSONLogHandlerTests {
    private final class Lines: Sendable {
        let lines = Mutex<[Data]>([])
        func add(_ line: Data) { lines.withLock { $0.append(line) } }
    }

    /// Logs an event and parses its line.
    private func logged(_ log: (Logger) -> Void) throws -> [String: Any] {
        let lines = Lines()
        var logger = Logger(label: "test") { label in
            JSONLogHandler(
                label: label, now: { Date(timeIntervalSince1970: 1_790_000_000.125) }, write: { lines.add($0) }
            )
        }
        logger.logLevel = .trace
        log(logger)
        let written = lines.lines.withLock { $0 }
        #expect(written.count == 1)
        let line = try #require(written.first)
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(!line.dropLast().contains { $0 < 0x20 })
        return try #require(JSONSerialization.jsonObject(with: line) as? [String: Any])
    }

    @Test("an event has time, level, message and logger")
    func standard() throws {
        let event = try logged { $0.warning("watch out") }
        #expect(
            event as? [String: String] == [
                "time": "2026-09-21T14:13:20.125Z", "level": "warning", "message": "watch out", "logger": "test",
            ])
    }

    @Test(
        "any text is preserved",
        arguments: ["a\nb\r\tc", "\u{0}\u{1b}[31m\u{7f}\u{2028}", "\"\\/", "ä\u{fffd}🙂", ""])
    func texts(text: String) throws {
        let event = try logged { $0.info("\(text)", metadata: ["value": "\(text)", "\(text)": "name"]) }
        #expect(event["message"] as? String == text)
        #expect(event["value"] as? String == text)
        #expect(event[text] as? String == "name")
    }

    @Test("numbers, booleans and structures keep their type, and text that looks like one stays text")
    func kinds() throws {
        let event = try logged {
            $0.info(
                "kinds",
                metadata: [
                    "status": .stringConvertible(200), "negative": .stringConvertible(Int64(-5)),
                    "ratio": .stringConvertible(0.5), "isLast": .stringConvertible(true), "text": "007",
                    "huge": .stringConvertible(UInt64.max), "not": .stringConvertible(Double.nan),
                    "list": .array(["a", .stringConvertible(1)]), "inner": .dictionary(["a": .stringConvertible(2)]),
                ]
            )
        }
        #expect(event["status"] as? Int == 200)
        #expect(event["negative"] as? Int == -5)
        #expect(event["ratio"] as? Double == 0.5)
        #expect(event["isLast"] as? Bool == true)
        #expect(event["text"] as? String == "007")
        #expect(event["huge"] as? String == "18446744073709551615")
        #expect(event["not"] as? String == "nan")
        #expect((event["list"] as? [Any])?.count == 2)
        #expect((event["inner"] as? [String: Int]) == ["a": 2])
    }

    @Test("metadata with a reserved name is written under another name")
    func ownNames() throws {
        let event = try logged { $0.info("mine", metadata: ["message": "theirs", "level": "high"]) }
        #expect(event["message"] as? String == "mine")
        #expect(event["level"] as? String == "info")
        #expect(event["metadata.message"] as? String == "theirs")
        #expect(event["metadata.level"] as? String == "high")
    }
}
