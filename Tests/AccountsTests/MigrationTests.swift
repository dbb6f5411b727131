import Accounts
import Flows
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// A store is re-keyed to another key encoding without losing an identity, and can be reverted until it is confirmed.
@Suite struct MigrationTests {
    @Test("a dry run reports what would be re-keyed and changes nothing", arguments: Move.allCases)
    func dryRun(move: Move) async throws {
        let world = try await MigrationWorld(move)
        let before = try await world.store.list(prefix: "", after: nil, limit: 1000)
        let planned = try await world.service.migration().plan(to: move.to)
        #expect(planned.links == 8 && planned.claims == 8 && !planned.isBlocked)
        #expect(planned.remaining == move.moving && planned.claimed == 8 - move.moving)
        #expect(try await world.store.list(prefix: "", after: nil, limit: 1000) == before)
        #expect(try await world.service.migration().status() == nil)
    }

    @Test(
        "identities have both keys during re-keying and only the new one after it is confirmed",
        arguments: Move.allCases)
    func confirmed(move: Move) async throws {
        let world = try await MigrationWorld(move)
        let old = try await world.claims()
        let applied = try await world.service.migration().apply(to: move.to)
        #expect(applied.isWhole && applied.claimed == 8)
        let both = try await world.claims()
        #expect(both.filter { old[$0.key] == $0.value } == old)
        #expect(both.count == 8 + move.moving)
        #expect(try await world.findings() == [])
        try await world.expectAllComeIn()
        let done = try await world.service.migration().confirm()
        #expect(done.isWhole && done.claimed == 8 && done.claims == 8)
        let new = try await world.claims()
        #expect(new.count == 8 && Set(new.values) == Set(old.values))
        #expect(Set(new.keys).intersection(old.keys).count == 8 - move.moving)
        #expect(try await world.findings() == [])
        try await world.expectAllComeIn()
        // Nothing is missing without the previous master key.
        let later = try await world.copy(seed: 3, isRetired: move.hasNewKey)
        try await world.expectAllComeIn(later)
        let bob = try await later.signIn(.google, MigrationWorld.subjects[0])
        #expect(bob.user.linkedProviders.map(\.email) == ["bob@gmail.com", nil])
        await #expect(throws: MigrationError.nothingToDo) { try await later.migration().apply(to: move.to) }
    }

    @Test("undoing re-keying restores exactly the previous bindings", arguments: Move.allCases)
    func undone(move: Move) async throws {
        let world = try await MigrationWorld(move)
        let old = try await world.claims()
        _ = try await world.service.migration().apply(to: move.to)
        _ = try await world.service.migration().undo()
        #expect(try await world.claims() == old)
        #expect(try await world.findings() == [])
        try await world.expectAllComeIn()
        await #expect(throws: MigrationError.noneIsUnderWay) { try await world.service.migration().confirm() }
    }

    @Test(
        "links and unlinks during re-keying apply to all keys and survive confirm and undo",
        arguments: Move.allCases, [true, false])
    func meanwhile(move: Move, isConfirmed: Bool) async throws {
        let world = try await MigrationWorld(move)
        _ = try await world.service.migration().apply(to: move.to)
        let names = move == .plainToNewKey ? 1 : 2
        let count = try await world.claims().count
        let eve = try await world.service.signUp(.apple, "eve", device: 9)
        _ = try await world.service.link(.google, "eve", in: eve.session)
        #expect(try await world.claims().count == count + 2 * names)
        let bob = try await world.service.signIn(.google, MigrationWorld.subjects[0])
        try await world.service.unlink(.apple, in: bob.session)
        #expect(try await world.claims().count == count + names)
        let migration = world.service.migration()
        _ = isConfirmed ? try await migration.confirm() : try await migration.undo()
        let later = try await world.copy(seed: 3, isRetired: isConfirmed && move.hasNewKey)
        #expect(try await later.owner(.apple, "eve") == eve.user.serviceUserID)
        #expect(try await later.owner(.google, "eve") == eve.user.serviceUserID)
        #expect(try await later.owner(.apple, MigrationWorld.subjects[0]) == nil)
        #expect(try await later.owner(.google, MigrationWorld.subjects[0]) == bob.user.serviceUserID)
        #expect(try await world.claims().count == 9)
        #expect(try await world.findings() == [])
    }

    @Test("a store can be re-keyed from plain to hashed, to another key and back to plain")
    func around() async throws {
        let world = try await MigrationWorld(.hashedToNewKey)
        let service = world.service
        for mode in [SubjectSpelling.Mode.hashed, .plain, .hashed, .plain] {
            _ = try await service.migration().apply(to: mode)
            _ = try await service.migration().confirm()
            try await world.expectAllComeIn()
        }
        #expect(try await world.findings() == [])
        #expect(try await world.claims().keys.contains("identities/apple/001234.5678abcd.9012"))
    }

    @Test("the hint for an address is found under the new key")
    func hints() async throws {
        let world = try await MigrationWorld(.hashedToNewKey)
        _ = try await world.service.migration().apply(to: .hashed)
        _ = try await world.service.migration().confirm()
        let later = try await world.copy(seed: 3, isRetired: true)
        do {
            _ = try await later.signIn(.google, "other", email: "bob@gmail.com", device: 20)
            Issue.record("somebody else came in")
        } catch FlowError.noAccountFound(let unknown) {
            #expect(unknown.hints == [.google])
        }
        let hints = try await world.store.list(prefix: StorageLayout.emailHint(""), after: nil, limit: 10).objects
        #expect(hints.map { $0.key.description.contains("email/test2-") } == [true])
    }

    @Test("sign-in costs the same number of requests before, during and after re-keying")
    func requests() async throws {
        let world = try await MigrationWorld(.plainToHashed)
        func requestsOfSignIn() async throws -> Int {
            try await world.service.naming.refresh()
            _ = world.service.store.takeRequests()
            _ = try await world.service.signIn(.google, MigrationWorld.subjects[0])
            return world.service.store.takeRequests().count
        }
        let before = try await requestsOfSignIn()
        _ = try await world.service.migration().apply(to: .hashed)
        #expect(try await requestsOfSignIn() == before)
        _ = try await world.service.migration().confirm()
        #expect(try await requestsOfSignIn() == before)
    }
}
