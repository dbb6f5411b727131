import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

/// What must be true of a store at any moment, read object by object.
struct StoreRules {
    let service: TestService

    func check() async throws {
        let accounts = try await accounts()
        try await checkClaims(accounts)
        for account in accounts.values { try await checkAudit(of: account) }
    }

    /// After two repairs with an hour between them nothing is left to settle, and links and claims agree one to one.
    func checkRepaired() async throws {
        for _ in 0..<2 {
            service.clock.advance(by: 3601)
            let summary = try await Repair(service.services.accounts, isDry: false) { _ in }.run()
            #expect(summary.settled == summary.findings)
        }
        let rest = Mutex<[RepairFinding]>([])
        _ = try await Repair(service.services.accounts, isDry: true) { finding in
            rest.withLock { $0.append(finding) }
        }.run()
        #expect(rest.withLock { $0 } == [])
        try await checkAgreement()
    }

    private func checkAgreement() async throws {
        var listed: Set<String> = []
        for account in try await accounts().values {
            #expect(!account.links.isEmpty && account.links.allSatisfy { $0.state == .active })
            for link in account.links {
                for name in link.claimNames { listed.insert("\(account.serviceUserID) \(link.id) \(name)") }
            }
        }
        var claimed: Set<String> = []
        for key in try await keys(StorageLayout.identities) where !key.hasPrefix(StorageLayout.emailHint("")) {
            let object = try #require(try await service.store.get(ObjectKey(known: key)))
            claimed.insert(String(buffer: object.bytes).split(separator: "\n").joined(separator: " ") + " \(key)")
        }
        #expect(listed == claimed)
    }

    private func keys(_ prefix: String) async throws -> [String] {
        try await service.store.list(prefix: prefix, after: nil, limit: 1000).objects.map(\.key.description)
    }

    private func accounts() async throws -> [UserID: AccountDocument] {
        var found: [UserID: AccountDocument] = [:]
        for key in try await keys(StorageLayout.accounts) where key.hasSuffix("/account.json") {
            let id = try #require(UserID(String(key.dropFirst(StorageLayout.accounts.count).prefix(36))))
            found[id] = try #require(try await service.services.accounts.account(id)).value
        }
        return found
    }

    /// A claim points at an account, no link is claimed more often than it has names, and an account without a claim is
    /// one that nobody uses.
    private func checkClaims(_ accounts: [UserID: AccountDocument]) async throws {
        var claimed: [UserID: [String]] = [:]
        for key in try await keys(StorageLayout.identities) where !key.hasPrefix(StorageLayout.emailHint("")) {
            let object = try #require(try await service.store.get(ObjectKey(known: key)))
            let lines = String(buffer: object.bytes).split(separator: "\n").map(String.init)
            let first = try #require(lines.first)
            let user = try #require(UserID(first))
            #expect(accounts[user] != nil, "the claim \(key) points at nothing")
            claimed[user, default: []] += lines.suffix(1)
        }
        for (user, account) in accounts {
            let claims = claimed[user, default: []]
            for link in account.links {
                #expect(claims.count { $0 == link.id.description } <= link.claimNames.count)
            }
            guard claims.isEmpty else {
                // Whoever signed in with a link did so by its claim.
                let active = account.links.filter { $0.state == .active }.map(\.id.description)
                #expect(Set(active).isSubset(of: claims), "an active link of \(user) has no claim")
                continue
            }
            let rest = try await keys(StorageLayout.account(user))
            #expect(!rest.contains { $0.contains("/devices/") }, "\(account.links) has a device and no claim")
        }
    }

    /// The acts on an account, in order.
    func acts(of user: UserID) async throws -> [AuditAct] {
        let account = try #require(try await accounts()[user])
        return try await entries(of: account).map(\.act)
    }

    /// The chain is whole.
    private func checkAudit(of account: AccountDocument) async throws {
        var previous = String(repeating: "0", count: 64)
        for (index, entry) in try await entries(of: account).enumerated() {
            #expect(entry.sequence == index + 1 && entry.previousHash == previous)
            previous = try entry.hash()
        }
        #expect(previous == account.audit.hash)
    }

    /// The entries; only the last one may still stand in the account's document alone.
    private func entries(of account: AccountDocument) async throws -> [AuditEntry] {
        var entries: [AuditEntry] = []
        for sequence in 1...account.audit.sequence {
            let key = ObjectKey(known: StorageLayout.auditEntry(account.serviceUserID, sequence: sequence))
            if let object = try await service.store.get(key) {
                entries.append(try #require(AuditEntry.read(Data(object.bytes.readableBytesView))))
            } else {
                try #require(sequence == account.audit.sequence, "audit entry \(sequence) is missing")
                entries.append(account.audit.lastEntry)
            }
        }
        return entries
    }
}

extension TestService {
    /// The acts on an account, in order.
    func acts(of user: UserID) async throws -> [AuditAct] { try await StoreRules(service: self).acts(of: user) }
}

extension AccountLink {
    /// The keys under which the link is claimed.
    fileprivate var claimNames: [String] {
        ([segment] + (nextSegment.map { [$0] } ?? [])).map { StorageLayout.identity(provider, segment: $0) }
    }
}
