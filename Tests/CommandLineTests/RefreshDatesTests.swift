import Foundation
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Options and output of a date refresh") struct RefreshDatesTests {
    @Test(
        "a time zone is a name or an offset",
        arguments: [
            ("Asia/Tokyo", 32_400), ("UTC", 0), ("+09:00", 32_400), ("-03:30", -12_600), ("+14:00", 50_400),
            ("-00:00", 0), ("-12:00", -43_200),
        ])
    func zones(text: String, seconds: Int) throws {
        let zone = try #require(ZoneOption(argument: text)).zone
        #expect(zone.secondsFromGMT(for: Date(timeIntervalSince1970: 0)) == seconds)
    }

    @Test(
        "a malformed time zone is rejected",
        arguments: [
            "", "Tokyo", "Asia/Nowhere", "+9", "+0900", "+15:00", "+14:01", "-12:01", "+09:60", "+-9:00", "+09:00:00",
            "＋09:00",
        ])
    func noZones(text: String) { #expect(ZoneOption(argument: text) == nil) }

    @Test("the option accepts negative offsets")
    func west() throws {
        let command = try RefreshDatesCommand.parse(["--zone", "-05:00"])
        #expect(command.zone?.zone.secondsFromGMT() == -18_000)
    }

    @Test("a negative number is rejected with the message for its range")
    func negativeNumbers() {
        let (every, timeout) = (["a", "--watch", "--every", "-1"], ["a", "--stall-timeout", "-1"])
        for (arguments, words) in [
            (every, "--every must be 1 to 86400"), (timeout, "--stall-timeout must be 1 to 3600"),
        ] {
            #expect {
                _ = try SyncCommand.parse(arguments)
            } throws: { error in
                SyncCommand.message(for: error).contains(words)
            }
        }
    }

    private func result(_ fields: String) throws -> RefreshDatesResult {
        let text = #"{"wantedFiles": 5, "archived": [], "undatedFiles": 1, \#(fields)}"#
        return RefreshDatesResult(report: try JSONDecoder().decode(DateRefreshReport.self, from: Data(text.utf8)))
    }

    @Test(
        "a date refresh reports complete, dry, partial and stopped runs",
        arguments: [
            (
                #""isDryRun": false, "datedFiles": 4, "failures": []"#, 0,
                "Added dates or time zones for 4 of 5 photos."
            ),
            (#""isDryRun": true, "datedFiles": 4, "failures": []"#, 0, "Would add dates or time zones for 4"),
            (
                #""isDryRun": true, "datedFiles": 4, "zonedFiles": 2, "timeZone": "Asia/Tokyo", "failures": []"#, 0,
                "2 photos without a time zone would get Asia/Tokyo. Later runs"
            ),
            (#""isDryRun": false, "datedFiles": 4, "failures": []"#, 0, "No date or time zone found in 1 photo."),
            (
                #""isDryRun": false, "datedFiles": 3, "failures": [{"path": "a.jpg", "reason": "gone"}]"#, 2,
                "Failed to read 1 photo:"
            ),
            (
                #"""
                "isDryRun": false, "datedFiles": 3, "failures": [], "stopped": \#
                {"code": "temporarily_unavailable", "detail": "The line is dead."}
                """#, 7, "The line is dead."
            ),
        ] as [(String, Int32, String)])
    func endings(fields: String, status: Int32, words: String) throws {
        let result = try result(fields)
        #expect(result.status.rawValue == status)
        #expect(result.text.contains(words), "\(result.text)")
    }
}
