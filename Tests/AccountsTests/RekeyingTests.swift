import AccountMaintenance
import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// A store is re-keyed to another key encoding without losing an identity, and can be reverted until it is confirmed.
@Suite struct RekeyingTests {
    @Test("a dry run reports what would be re-keyed and changes nothing", arguments: RekeyingScenario.allCases)
    func dryRun(move: RekeyingScenario) async throws {
        let fixture = try await RekeyingFixture(move)
        let before = try await fixture.store.list(prefix: "", after: nil, limit: 1000)
        let planned = try await fixture.service.rekeying().plan(to: move.to)
        #expect(planned.links == 8 && planned.claims == 8 && !planned.isBlocked)
        #expect(planned.remaining == move.rekeyedLinks && planned.claimed == 8 - move.rekeyedLinks)
        #expect(try await fixture.store.list(prefix: "", after: nil, limit: 1000) == before)
        #expect(try await fixture.service.rekeying().status() == nil)
    }

    @Test(
        "identities have both keys during re-keying and only the new one after it is confirmed",
        arguments: RekeyingScenario.allCases)
    func confirmed(move: RekeyingScenario) async throws {
        let fixture = try await RekeyingFixture(move)
        let old = try await fixture.bindings()
        let applied = try await fixture.service.rekeying().apply(to: move.to)
        #expect(applied.isComplete && applied.claimed == 8)
        let both = try await fixture.bindings()
        #expect(both.filter { old[$0.key] == $0.value } == old)
        #expect(both.count == 8 + move.rekeyedLinks)
        #expect(try await fixture.findings() == [])
        try await fixture.expectAllSignIn()
        let done = try await fixture.service.rekeying().confirm()
        #expect(done.isComplete && done.claimed == 8 && done.claims == 8)
        let new = try await fixture.bindings()
        #expect(new.count == 8 && Set(new.values) == Set(old.values))
        #expect(Set(new.keys).intersection(old.keys).count == 8 - move.rekeyedLinks)
        #expect(try await fixture.findings() == [])
        try await fixture.expectAllSignIn()
        // Nothing is missing without the previous master key.
        let later = try await fixture.makeInstance(seed: 3, isRetired: move.hasNewKey)
        try await fixture.expectAllSignIn(later)
        let bob = try await later.signIn(.google, RekeyingFixture.subjects[0])
        #expect(bob.user.linkedProviders.map(\.email) == ["bob@gmail.com", nil])
        await #expect(throws: RekeyingError.nothingToDo) { try await later.rekeying().apply(to: move.to) }
    }

    @Test("undoing re-keying restores exactly the previous bindings", arguments: RekeyingScenario.allCases)
    func undone(move: RekeyingScenario) async throws {
        let fixture = try await RekeyingFixture(move)
        let old = try await fixture.bindings()
        _ = try await fixture.service.rekeying().apply(to: move.to)
        _ = try await fixture.service.rekeying().undo()
        #expect(try await fixture.bindings() == old)
        #expect(try await fixture.findings() == [])
        try await fixture.expectAllSignIn()
        await #expect(throws: RekeyingError.notInProgress) { try await fixture.service.rekeying().confirm() }
    }

    @Test(
        "links and unlinks during re-keying apply to all keys and survive confirm and undo",
        arguments: RekeyingScenario.allCases, [true, false])
    func duringRekeying(move: RekeyingScenario, isConfirmed: Bool) async throws {
        let fixture = try await RekeyingFixture(move)
        _ = try await fixture.service.rekeying().apply(to: move.to)
        let names = move == .plainToNewKey ? 1 : 2
        let count = try await fixture.bindings().count
        let eve = try await fixture.service.signUp(.apple, "eve", device: 9)
        _ = try await fixture.service.link(.google, "eve", in: eve.session)
        #expect(try await fixture.bindings().count == count + 2 * names)
        let bob = try await fixture.service.signIn(.google, RekeyingFixture.subjects[0])
        try await fixture.service.unlink(.apple, in: bob.session)
        #expect(try await fixture.bindings().count == count + names)
        let migration = fixture.service.rekeying()
        _ = isConfirmed ? try await migration.confirm() : try await migration.undo()
        let later = try await fixture.makeInstance(seed: 3, isRetired: isConfirmed && move.hasNewKey)
        #expect(try await later.owner(.apple, "eve") == eve.user.serviceUserID)
        #expect(try await later.owner(.google, "eve") == eve.user.serviceUserID)
        #expect(try await later.owner(.apple, RekeyingFixture.subjects[0]) == nil)
        #expect(try await later.owner(.google, RekeyingFixture.subjects[0]) == bob.user.serviceUserID)
        #expect(try await fixture.bindings().count == 9)
        #expect(try await fixture.findings() == [])
    }

    @Test("a store can be re-keyed from plain to hashed, to another key and back to plain")
    func around() async throws {
        let fixture = try await RekeyingFixture(.hashedToNewKey)
        let service = fixture.service
        for mode in [KeyEncoding.Mode.hashed, .plain, .hashed, .plain] {
            _ = try await service.rekeying().apply(to: mode)
            _ = try await service.rekeying().confirm()
            try await fixture.expectAllSignIn()
        }
        #expect(try await fixture.findings() == [])
        #expect(try await fixture.bindings().keys.contains("identities/apple/001234.5678abcd.9012"))
    }

    @Test("the hint for an address is found under the new key")
    func hints() async throws {
        let fixture = try await RekeyingFixture(.hashedToNewKey)
        _ = try await fixture.service.rekeying().apply(to: .hashed)
        _ = try await fixture.service.rekeying().confirm()
        let later = try await fixture.makeInstance(seed: 3, isRetired: true)
        do {
            _ = try await later.signIn(.google, "other", email: "bob@gmail.com", device: 20)
            Issue.record("another account was opened")
        } catch ServiceError.noAccountFound(let unknown) {
            #expect(unknown.hints == [.google])
        }
        let hints = try await fixture.store.list(prefix: StorageLayout.emailHint(""), after: nil, limit: 10).objects
        #expect(hints.map { $0.key.description.contains("email/test2-") } == [true])
    }

    @Test("sign-in costs the same number of requests before, during and after re-keying")
    func requests() async throws {
        let fixture = try await RekeyingFixture(.plainToHashed)
        func requestsOfSignIn() async throws -> Int {
            try await fixture.service.naming.refresh()
            _ = fixture.service.store.drainRequests()
            _ = try await fixture.service.signIn(.google, RekeyingFixture.subjects[0])
            return fixture.service.store.drainRequests().count
        }
        let before = try await requestsOfSignIn()
        _ = try await fixture.service.rekeying().apply(to: .hashed)
        #expect(try await requestsOfSignIn() == before)
        _ = try await fixture.service.rekeying().confirm()
        #expect(try await requestsOfSignIn() == before)
    }
}
