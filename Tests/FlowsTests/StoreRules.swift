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
        for account in accounts.values { try await HistoryRules(service: service).check(account) }
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
        try await HistoryRules(service: service).checkSettled()
        try await check()
    }

    private func checkAgreement() async throws {
        var listed: Set<String> = []
        for account in try await accounts().values {
            #expect(!account.links.isEmpty && account.links.allSatisfy { $0.state == .active })
            for link in account.links { listed.insert("\(account.serviceUserID) \(link.id)") }
        }
        var claimed: Set<String> = []
        for key in try await keys(StorageLayout.identities) where !key.hasPrefix(StorageLayout.emailHint("")) {
            let object = try #require(try await service.store.get(ObjectKey(known: key)))
            claimed.insert(String(buffer: object.bytes).split(separator: "\n").joined(separator: " "))
        }
        #expect(listed == claimed)
    }

    private func keys(_ prefix: String) async throws -> [String] {
        try await service.store.list(prefix: prefix, after: nil, limit: 1000).objects.map(\.key.description)
    }

    func accounts() async throws -> [UserID: AccountDocument] {
        var found: [UserID: AccountDocument] = [:]
        for key in try await keys(StorageLayout.accounts) where key.hasSuffix("/account.json") {
            let id = try #require(UserID(String(key.dropFirst(StorageLayout.accounts.count).prefix(36))))
            found[id] = try #require(try await service.services.accounts.account(id)).value
        }
        return found
    }

    /// A claim points at an account, no link is claimed twice, and an account without a claim is one that nobody uses.
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
            #expect(Set(claims).count == claims.count)
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

    /// The acts on an account, in order; those that wait with devices last.
    func acts(of user: UserID) async throws -> [AuditAct] {
        let account = try #require(try await accounts()[user])
        return try await HistoryRules(service: service).check(account).map(\.act)
    }
}

extension TestService {
    /// The acts on an account, in order.
    func acts(of user: UserID) async throws -> [AuditAct] { try await StoreRules(service: self).acts(of: user) }
}
