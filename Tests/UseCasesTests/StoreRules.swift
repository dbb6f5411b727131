import AccountMaintenance
import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

/// The invariants of a store at any moment, checked object by object.
struct StoreRules {
    let service: TestService
    /// Whether all identity bindings were lost: until repair an active link may be without its binding, and an identity
    /// that signed up since stays with the second account.
    var isAfterLoss = false
    /// Whether a re-keying was undone: until repair a late write of one of the undone binding keys may exist.
    var isAfterUndo = false

    /// - Returns: the number of occurrences of each audit event, wherever it is stored.
    @discardableResult
    func check() async throws -> [AuditAction: Int] { try await check(isSettled: false) }

    private func check(isSettled: Bool) async throws -> [AuditAction: Int] {
        let accounts = try await accounts()
        try await checkBindings(accounts)
        var counts: [AuditAction: Int] = [:]
        for account in accounts.values {
            for act in try await HistoryRules(service: service).check(account, isSettled: isSettled) {
                counts[act.act, default: 0] += 1
            }
            let active = account.links.filter { $0.state == .active }
            #expect(
                account.links.contains { $0.state == .active || $0.state == .revoked },
                "\(account.serviceUserID) has no provider")
            #expect(
                Set(active.map { StorageLayout.identity($0.provider, segment: $0.segment) }).count == active.count,
                "an identity is linked twice")
        }
        return counts
    }

    /// Checks that after two repairs an hour apart nothing is left to reconcile, that links and identity bindings match
    /// one to one, and that a loss of all identity bindings can be repaired.
    func checkRepaired() async throws {
        var rest: [RepairFinding] = []
        for isFirst in [true, false] {
            service.clock.advance(by: 3601)
            rest = try await repair(isDryRun: false)
            // Accounts are repaired concurrently: one may wait for an identity that another is just releasing.
            let unsettled = rest.filter { !$0.isSettled && !(isFirst && $0.kind == .claimTaken) }
            #expect(unsettled.map(\.kind).allSatisfy(mayStay), "\(rest)")
            // If one repair finds nothing, the next one finds nothing either.
            if rest.isEmpty { break }
        }
        if !rest.isEmpty { rest = try await repair(isDryRun: true) }
        #expect(rest.map(\.kind).allSatisfy(mayStay), "\(rest)")
        try await checkAgreement(taken: Set(rest.compactMap(\.object)))
        try await checkRebuilt(unlessTaken: rest.isEmpty)
        try await checkReconciled()
    }

    /// Checks that after the service's own job no event is pending on a device, and that none was lost or duplicated.
    func checkReconciled() async throws {
        let before = try await check()
        try await service.services.deviceCleanup.cleanUpDevices()
        let after = try await check(isSettled: true)
        #expect(after == before)
    }

    private func mayStay(_ kind: RepairFinding.Kind) -> Bool { isAfterLoss && kind == .claimTaken }

    private func repair(isDryRun: Bool) async throws -> [RepairFinding] {
        let found = Mutex<[RepairFinding]>([])
        let repair = Repair(service.components.accounts, isDryRun: isDryRun) { finding in
            found.withLock { $0.append(finding) }
        }
        let summary = try await repair.run()
        let findings = found.withLock { $0 }
        #expect(summary.findings == findings.count && summary.settled == findings.count { $0.isSettled })
        return findings
    }

    /// Checks that each identity has one account, unless repair reports that two accounts list it.
    private func checkAgreement(taken: Set<String>) async throws {
        var claims = try await bindings()
        for account in try await accounts().values {
            #expect(!account.links.isEmpty && account.links.allSatisfy { $0.state == .active || $0.state == .revoked })
            for (link, key) in account.links.flatMap({ link in link.storedBindingKeys.map { (link, $0) } }) {
                if claims[key]?.user == account.serviceUserID {
                    #expect(claims.removeValue(forKey: key)?.link == link.id)
                } else {
                    #expect(taken.contains(key), "\(key) is not its account's")
                }
            }
        }
        #expect(claims.isEmpty)
    }

    /// Checks that a loss of all identity bindings is repaired, and that no account is treated as garbage.
    private func checkRebuilt(unlessTaken isWhole: Bool) async throws {
        guard isWhole else { return }
        let before = (accounts: Set(try await accounts().keys), claims: try await bindings())
        let hints = try await keys(StorageLayout.emailHint(""))
        try await service.removeBindings()
        _ = try await repair(isDryRun: false)
        #expect(Set(try await accounts().keys) == before.accounts, "an account is gone")
        #expect(try await bindings() == before.claims)
        #expect(try await keys(StorageLayout.emailHint("")) == hints)
    }

    /// The content of an identity binding.
    struct BoundIdentity: Equatable {
        let user: UserID
        let link: LinkID
    }

    private func bindings() async throws -> [String: BoundIdentity] {
        var claims: [String: BoundIdentity] = [:]
        for key in try await keys(StorageLayout.identities) where !key.hasPrefix(StorageLayout.emailHint("")) {
            let object = try #require(try await service.store.get(ObjectKey(known: key)))
            let lines = String(buffer: object.bytes).split(separator: "\n").map(String.init)
            try #require(lines.count == 2)
            claims[key] = BoundIdentity(user: try #require(UserID(lines[0])), link: try #require(LinkID(lines[1])))
        }
        return claims
    }

    private func keys(_ prefix: String) async throws -> [String] {
        try await service.store.list(prefix: prefix, after: nil, limit: 1000).objects.map(\.key.description)
    }

    func accounts() async throws -> [UserID: AccountDocument] {
        var found: [UserID: AccountDocument] = [:]
        for key in try await keys(StorageLayout.accounts) where key.hasSuffix("/account.json") {
            let id = try #require(UserID(String(key.dropFirst(StorageLayout.accounts.count).prefix(36))))
            found[id] = try #require(try await service.components.accounts.account(id)).value
        }
        return found
    }

    /// Checks that each identity binding refers to an account and has the key of its link, that no link has more
    /// bindings than keys, and that an account without a binding is unused.
    private func checkBindings(_ accounts: [UserID: AccountDocument]) async throws {
        var claimed: [UserID: [LinkID]] = [:]
        for (key, claim) in try await bindings() {
            #expect(accounts[claim.user] != nil, "the binding \(key) has no account")
            let link = accounts[claim.user]?.links.first { $0.id == claim.link }
            guard link?.storedBindingKeys.contains(key) ?? true else {
                #expect(isAfterUndo, "\(key) is no name of its link")
                continue
            }
            claimed[claim.user, default: []].append(claim.link)
        }
        for (user, account) in accounts {
            let claims = claimed[user, default: []]
            for link in account.links { #expect(claims.count { $0 == link.id } <= link.storedBindingKeys.count) }
            guard !isAfterLoss else { continue }
            guard claims.isEmpty else {
                // A sign-in with a link requires its identity binding.
                let active = account.links.filter { $0.state == .active }.map(\.id)
                #expect(Set(active).isSubset(of: claims), "an active link of \(user) has no binding")
                continue
            }
            let rest = try await keys(StorageLayout.account(user))
            #expect(!rest.contains { $0.contains("/devices/") }, "\(account.links) has a device and no binding")
        }
    }

    /// Returns the audit events of an account, in order; those pending on devices last.
    func auditEvents(of user: UserID) async throws -> [AuditAction] {
        let account = try #require(try await accounts()[user])
        return try await HistoryRules(service: service).check(account).map(\.act)
    }
}

extension TestService {
    /// Returns the audit events of an account, in order.
    func auditEvents(of user: UserID) async throws -> [AuditAction] {
        try await StoreRules(service: self).auditEvents(of: user)
    }

    /// Deletes all identity bindings, the worst fault of a store.
    func removeBindings() async throws {
        for object in try await store.list(prefix: StorageLayout.identities, after: nil, limit: 1000).objects {
            try await store.delete(object.key, if: .always)
        }
    }
}

extension AccountLink {
    /// The keys of the link's identity bindings.
    fileprivate var storedBindingKeys: [String] {
        ([segment] + (nextSegment.map { [$0] } ?? [])).map { StorageLayout.identity(provider, segment: $0) }
    }
}
