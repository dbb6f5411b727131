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
    /// All claims were lost on the way: until repair an active link may be without its claim, and an identity that
    /// signed up meanwhile stays with the second account.
    var isAfterLoss = false
    /// A move to other names was taken back: until repair a write of one of them that arrives late may stand there.
    var isAfterUndo = false

    /// - Returns: how often each act was done, wherever it is.
    @discardableResult
    func check() async throws -> [AuditAct: Int] { try await check(isSettled: false) }

    private func check(isSettled: Bool) async throws -> [AuditAct: Int] {
        let accounts = try await accounts()
        try await checkClaims(accounts)
        var counts: [AuditAct: Int] = [:]
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

    /// After two repairs with an hour between them nothing is left to settle, links and claims agree one to one, and
    /// all claims can be lost.
    func checkRepaired() async throws {
        var rest: [RepairFinding] = []
        for isFirst in [true, false] {
            service.clock.advance(by: 3601)
            rest = try await repair(isDry: false)
            // Accounts are looked at side by side: one may wait for what another is just letting go of.
            let unsettled = rest.filter { !$0.isSettled && !(isFirst && $0.kind == .claimTaken) }
            #expect(unsettled.map(\.kind).allSatisfy(mayStay), "\(rest)")
            // Where one finds nothing the next does not either.
            if rest.isEmpty { break }
        }
        if !rest.isEmpty { rest = try await repair(isDry: true) }
        #expect(rest.map(\.kind).allSatisfy(mayStay), "\(rest)")
        try await checkAgreement(taken: Set(rest.compactMap(\.object)))
        try await checkRebuilt(unlessTaken: rest.isEmpty)
        try await checkSettled()
    }

    /// After the service's own job no act waits with a device any more, and none was lost or doubled by it.
    func checkSettled() async throws {
        let before = try await check()
        try await service.services.settleDevices()
        let after = try await check(isSettled: true)
        #expect(after == before)
    }

    private func mayStay(_ kind: RepairFinding.Kind) -> Bool { isAfterLoss && kind == .claimTaken }

    private func repair(isDry: Bool) async throws -> [RepairFinding] {
        let found = Mutex<[RepairFinding]>([])
        let repair = Repair(service.services.accounts, isDry: isDry) { finding in
            found.withLock { $0.append(finding) }
        }
        let summary = try await repair.run()
        let findings = found.withLock { $0 }
        #expect(summary.findings == findings.count && summary.settled == findings.count { $0.isSettled })
        return findings
    }

    /// Each identity has one account, unless repair says that two want it.
    private func checkAgreement(taken: Set<String>) async throws {
        var claims = try await claims()
        for account in try await accounts().values {
            #expect(!account.links.isEmpty && account.links.allSatisfy { $0.state == .active || $0.state == .revoked })
            for (link, key) in account.links.flatMap({ link in link.claimNames.map { (link, $0) } }) {
                if claims[key]?.user == account.serviceUserID {
                    #expect(claims.removeValue(forKey: key)?.link == link.id)
                } else if link.state == .active {
                    #expect(taken.contains(key), "\(key) is not its account's")
                }
            }
        }
        #expect(claims.isEmpty)
    }

    /// A loss of all claims is rebuilt, and no account is taken for garbage.
    private func checkRebuilt(unlessTaken isWhole: Bool) async throws {
        guard isWhole else { return }
        let before = (accounts: Set(try await accounts().keys), claims: try await claims())
        let hints = try await keys(StorageLayout.emailHint(""))
        try await service.loseClaims()
        _ = try await repair(isDry: false)
        #expect(Set(try await accounts().keys) == before.accounts, "an account is gone")
        #expect(try await claims() == before.claims)
        #expect(try await keys(StorageLayout.emailHint("")) == hints)
    }

    /// What a claim says.
    struct Claimed: Equatable {
        let user: UserID
        let link: LinkID
    }

    private func claims() async throws -> [String: Claimed] {
        var claims: [String: Claimed] = [:]
        for key in try await keys(StorageLayout.identities) where !key.hasPrefix(StorageLayout.emailHint("")) {
            let object = try #require(try await service.store.get(ObjectKey(known: key)))
            let lines = String(buffer: object.bytes).split(separator: "\n").map(String.init)
            try #require(lines.count == 2)
            claims[key] = Claimed(user: try #require(UserID(lines[0])), link: try #require(LinkID(lines[1])))
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
            found[id] = try #require(try await service.services.accounts.account(id)).value
        }
        return found
    }

    /// A claim points at an account and stands where its link says, no link is claimed more often than it has names, and
    /// an account without a claim is one that nobody uses.
    private func checkClaims(_ accounts: [UserID: AccountDocument]) async throws {
        var claimed: [UserID: [LinkID]] = [:]
        for (key, claim) in try await claims() {
            #expect(accounts[claim.user] != nil, "the claim \(key) points at nothing")
            let link = accounts[claim.user]?.links.first { $0.id == claim.link }
            guard link?.claimNames.contains(key) ?? true else {
                #expect(isAfterUndo, "\(key) is no name of its link")
                continue
            }
            claimed[claim.user, default: []].append(claim.link)
        }
        for (user, account) in accounts {
            let claims = claimed[user, default: []]
            for link in account.links { #expect(claims.count { $0 == link.id } <= link.claimNames.count) }
            guard !isAfterLoss else { continue }
            guard claims.isEmpty else {
                // Whoever signed in with a link did so by its claim.
                let active = account.links.filter { $0.state == .active }.map(\.id)
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

    /// Does what a store's worst fault could do.
    func loseClaims() async throws {
        for object in try await store.list(prefix: StorageLayout.identities, after: nil, limit: 1000).objects {
            try await store.delete(object.key, if: .always)
        }
    }
}

extension AccountLink {
    /// The keys under which the link is claimed.
    fileprivate var claimNames: [String] {
        ([segment] + (nextSegment.map { [$0] } ?? [])).map { StorageLayout.identity(provider, segment: $0) }
    }
}
