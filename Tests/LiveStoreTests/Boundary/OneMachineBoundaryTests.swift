import PhotolalaAPI
import Testing

@Suite("User credentials on the one-machine endpoint")
struct OneMachineBoundaryTests {
    @Test("the user's own prefixes are accessible")
    func own() async throws { try await OneMachine.run { try await BoundaryTable.opensOwnPrefixes($0) } }

    @Test("foreign paths are rejected", arguments: BoundaryTable.foreignPaths)
    func foreign(path: String) async throws {
        try await OneMachine.run { try await BoundaryTable.refusesForeignPath(path, $0) }
    }

    @Test("crooked paths do not reach foreign objects", arguments: BoundaryTable.nonCanonicalPaths)
    func crooked(path: String) async throws {
        try await OneMachine.run { try await BoundaryTable.confinesNonCanonicalPaths(path, $0) }
    }

    @Test("foreign listings are rejected", arguments: BoundaryTable.foreignListings)
    func listing(query: String) async throws {
        try await OneMachine.run { try await BoundaryTable.refusesForeignListing(query, $0) }
    }

    @Test("listings above the user's prefixes contain only the user's keys", arguments: BoundaryTable.outerListings)
    func outerListing(query: String) async throws {
        try await OneMachine.run { try await BoundaryTable.narrowsOuterListing(query, $0) }
    }

    @Test("the bare prefix is not accessible")
    func barePrefix() async throws { try await OneMachine.run { try await BoundaryTable.refusesBarePrefix($0) } }

    @Test("crooked listings contain only the user's keys", arguments: BoundaryTable.nonCanonicalListings)
    func crookedListing(query: String) async throws {
        try await OneMachine.run { try await BoundaryTable.showsOwnKeysAlone(query, $0) }
    }

    @Test("batch deletions and part uploads are checked per key")
    func batches() async throws {
        try await OneMachine.run { try await BoundaryTable.judgesKeysOneByOne($0) }
        try await OneMachine.run { try await BoundaryTable.refusesForeignParts($0) }
    }

    @Test("the access level limits the operations", arguments: [StorageAccessLevel.readWrite, .readDelete, .read])
    func levels(access: StorageAccessLevel) async throws {
        try await OneMachine.run { try await BoundaryTable.enforcesAccessLevels(access, $0) }
    }

    @Test("incomplete or foreign credentials are rejected")
    func keys() async throws { try await OneMachine.run { try await BoundaryTable.refusesOtherKeys($0) } }
}
