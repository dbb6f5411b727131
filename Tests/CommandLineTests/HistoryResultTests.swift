import Foundation
import PhotolalaAPI
import Testing

@testable import photolala

@Suite("Output of the account history") struct HistoryResultTests {
    private func device(_ number: UInt8) -> DeviceID {
        DeviceID(uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)))
    }

    @Test("an audit event shows time, action, provider and device, and control characters are replaced")
    func lines() {
        let at = Date(timeIntervalSince1970: 1_790_000_000)
        let entries = [
            AuditRecord(
                sequence: nil, at: at, act: .deviceRemoved, actor: .user, deviceID: device(1),
                deviceName: "Lap\u{1b}top",
                targetDeviceID: device(2)
            ),
            AuditRecord(sequence: 1, at: at, act: .init(rawValue: "new\u{7}.act"), actor: .user, provider: .apple),
            AuditRecord(sequence: 2, at: at, act: .signedOutEverywhere, actor: .support, reason: "lost\u{1b} phone"),
            AuditRecord(
                sequence: 3, at: at, act: .signedIn, actor: .user, deviceID: device(2), deviceName: "Phone",
                country: CountryCode("JP")),
        ]
        let lines = HistoryResult(entries: entries, device: device(1)).text.split(separator: "\n").map(String.init)
        let when = DateText.minute(at)
        #expect(
            lines == [
                "\(when)  device removed  \(device(2))  on “\(Terminal.sanitized("Lap\u{1b}top"))”, this device",
                "\(when)  \(Terminal.sanitized("new\u{7}.act"))  (apple)",
                "\(when)  signed out everywhere  reason: \(Terminal.sanitized("lost\u{1b} phone"))",
                "\(when)  signed in  on “Phone”  from Japan",
            ]
        )
        #expect(!lines.joined().contains("\u{1b}") && !lines.joined().contains("\u{7}"))
    }
}
