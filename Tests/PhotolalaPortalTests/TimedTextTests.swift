import Foundation
import Localization
import Testing

@testable import PhotolalaPortal

/// Texts with a time that the page's script shows in the browser's zone.
@Suite struct TimedTextTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_000)

    @Test("the time of a text says once that it is in UTC", arguments: TextCatalog.languages)
    func zone(_ language: String) throws {
        let texts = try TextCatalog(service: "Photolala").strings(for: nil, chosen: language)
        let shown = texts(.timeUTC, [.date: texts.time(Self.date)])
        for name in [TextName.storageCounted, .deviceSince, .timeUTC] {
            let content = texts.timed(name, Self.date).compactMapValues { $0 as? String }
            #expect(content["time"] == shown && content["machineTime"] == "2023-11-14T22:13:20Z")
            let before = try #require(content["before"])
            let whole = before + shown + (content["after"] ?? "")
            #expect(whole == texts(name, [.date: name == .deviceSince ? shown : texts.time(Self.date)]))
        }
    }

    @Test("a day has no time")
    func day() throws {
        let texts = try TextCatalog(service: "Photolala").strings(for: nil, chosen: "en")
        let content = texts.timed(.deviceSeen, Self.date, isDay: true)
        #expect(content["time"] as? String == "November 14, 2023 UTC" && content["isDay"] as? Bool == true)
        #expect(content["before"] as? String == "Last active ")
    }
}
