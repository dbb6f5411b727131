import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing

/// What must be true of the accounts' histories at any moment: each act that was noted is in the chain or with its
/// device, once, and in its order.
struct HistoryRules {
    let service: TestService

    /// One act, wherever it is.
    struct Act: Hashable {
        let act: AuditAct
        let device: DeviceID?
        let target: DeviceID?
    }

    /// Checks one account and gives its acts: the chain's, then those that wait with devices.
    @discardableResult
    func check(_ account: AccountDocument) async throws -> [Act] {
        let entries = try await entries(of: account)
        checkChain(entries, account)
        var last: [DeviceID: (sequence: Int, act: AuditAct)] = [:]
        for entry in entries {
            guard let sequence = entry.deviceSequence, let device = entry.target ?? entry.device else { continue }
            expect(sequence, follows: last[device], of: device)
            last[device] = (sequence, entry.act)
        }
        var acts = entries.map { Act(act: $0.act, device: $0.device, target: $0.target) }
        for record in try await service.services.sessions.devices.devices(of: account.serviceUserID) {
            let noted = DeviceActs(record.id, record)
            for act in account.audit.unfolded(noted) {
                expect(act.sequence, follows: last[record.id], of: record.id)
                last[record.id] = (act.sequence, act.act)
                acts.append(Act(act: act.act, device: act.device, target: act.target))
            }
            let isNew = record.notedActs == 0 && Self.mayBegin(after: last[record.id])
            #expect(isNew || record.notedActs == last[record.id]?.sequence, "acts of \(record.id) are lost")
            #expect(record.acts.count <= NotedAct.limit + 2)
        }
        #expect(account.audit.entries.count <= 18 && account.audit.folded.count <= 8)
        return acts
    }

    /// How often each act was done in the whole store, wherever it is.
    func counts() async throws -> [AuditAct: Int] {
        var counts: [AuditAct: Int] = [:]
        for account in try await StoreRules(service: service).accounts().values {
            for act in try await check(account) { counts[act.act, default: 0] += 1 }
        }
        return counts
    }

    /// After the service's own job nothing waits any more, and nothing was lost or doubled by it.
    func checkSettled() async throws {
        let before = try await counts()
        try await service.services.settleDevices()
        #expect(try await counts() == before)
        for account in try await StoreRules(service: service).accounts().values where account.isUsable {
            for record in try await service.services.sessions.devices.devices(of: account.serviceUserID) {
                #expect(record.acts.isEmpty && record.removedAt == nil)
            }
        }
    }

    private func expect(_ sequence: Int, follows last: (sequence: Int, act: AuditAct)?, of device: DeviceID) {
        let isNext = sequence == (last?.sequence ?? 0) + 1
        #expect(
            isNext || (sequence == 1 && Self.mayBegin(after: last)), "act \(sequence) of \(device) after \(last as Any)"
        )
    }

    private static func mayBegin(after last: (sequence: Int, act: AuditAct)?) -> Bool {
        last == nil || last?.act == .deviceRemoved || last?.act == .deviceForgotten
    }

    private func checkChain(_ entries: [AuditEntry], _ account: AccountDocument) {
        var previous = String(repeating: "0", count: 64)
        for (index, entry) in entries.enumerated() {
            #expect(entry.sequence == index + 1 && entry.previousHash == previous)
            guard let bytes = try? entry.bytes() else { continue }
            previous = AuditEntry.hash(of: bytes)
            expectHarmless(bytes)
        }
        #expect(previous == account.audit.hash && service.services.accounts.isProven(account))
    }

    /// The entries; only those of the last change may still stand in the account's document alone.
    private func entries(of account: AccountDocument) async throws -> [AuditEntry] {
        var entries: [AuditEntry] = []
        for sequence in 1...account.audit.sequence {
            let key = ObjectKey(known: StorageLayout.auditEntry(account.serviceUserID, sequence: sequence))
            if let object = try await service.store.get(key) {
                entries.append(try #require(AuditEntry.read(Data(object.bytes.readableBytesView))))
            } else {
                let own = account.audit.entries.first { $0.sequence == sequence }
                entries.append(try #require(own, "audit entry \(sequence) is missing"))
            }
        }
        return entries
    }

    /// Every member has a form that no e-mail address, token, name or subject has.
    private func expectHarmless(_ entry: Data) {
        let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
        let forms = [
            "sequence": "[0-9]+", "deviceSequence": "[0-9]+", "at": "[-0-9]+T[:0-9]+Z",
            "act": "(account|provider|session|device|audit)\\.[a-z_]+", "actor": "user|service",
            "provider": "apple|google", "link": uuid, "device": uuid, "target": uuid, "previousHash": "[0-9a-f]{64}",
        ]
        let members = (try? JSONSerialization.jsonObject(with: entry)) as? [String: Any] ?? ["": ""]
        for (name, value) in members {
            let form = forms[name] ?? "nothing"
            #expect("\(value)".range(of: "^(\(form))$", options: .regularExpression) != nil, "\(name): \(value)")
        }
    }
}
