import PhotolalaAPI
import Testing

@Suite("The border of a user's credentials on the endpoint of one machine")
struct OneMachineBoundaryTests {
    @Test("has the user's own prefixes inside")
    func own() async throws { try await OneMachine.run { try await BoundaryTable.opensOwnPrefixes($0) } }

    @Test("has all else outside", arguments: BoundaryTable.foreignPaths)
    func foreign(path: String) async throws {
        try await OneMachine.run { try await BoundaryTable.refusesForeignPath(path, $0) }
    }

    @Test("cannot be walked around", arguments: BoundaryTable.crookedPaths)
    func crooked(path: String) async throws {
        try await OneMachine.run { try await BoundaryTable.keepsCrookedPathsInside(path, $0) }
    }

    @Test("holds for listings", arguments: BoundaryTable.foreignListings)
    func listing(query: String) async throws {
        try await OneMachine.run { try await BoundaryTable.refusesForeignListing(query, $0) }
    }

    @Test("narrows listings above the user's prefixes to them", arguments: BoundaryTable.outerListings)
    func outerListing(query: String) async throws {
        try await OneMachine.run { try await BoundaryTable.narrowsOuterListing(query, $0) }
    }

    @Test("has the bare prefix outside")
    func barePrefix() async throws { try await OneMachine.run { try await BoundaryTable.refusesBarePrefix($0) } }

    @Test("cannot be listed around", arguments: BoundaryTable.crookedListings)
    func crookedListing(query: String) async throws {
        try await OneMachine.run { try await BoundaryTable.showsOwnKeysAlone(query, $0) }
    }

    @Test("holds for many keys at once and for parts")
    func batches() async throws {
        try await OneMachine.run { try await BoundaryTable.judgesKeysOneByOne($0) }
        try await OneMachine.run { try await BoundaryTable.refusesForeignParts($0) }
    }

    @Test("is drawn by the access level", arguments: [StorageAccessLevel.readWrite, .readDelete, .read])
    func levels(access: StorageAccessLevel) async throws {
        try await OneMachine.run { try await BoundaryTable.drawsLevels(access, $0) }
    }

    @Test("stays closed to keys that are not whole")
    func keys() async throws { try await OneMachine.run { try await BoundaryTable.refusesOtherKeys($0) } }
}
