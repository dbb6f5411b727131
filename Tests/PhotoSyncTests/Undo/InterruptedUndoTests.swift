import ObjectStorage
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Undo after interrupted commands") struct InterruptedUndoTests {
    @Test("a command killed before its commit leaves the change before it undoable, and so do several")
    func killed() async throws {
        let fixture = try await UndoFixture()
        _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg"))
        try await fixture.recordUncommitted("b.jpg")
        try await fixture.recordUncommitted("c.jpg")
        let undone = try await fixture.undo()
        #expect(undone.isDone && undone.restored == 1 && undone.changed == 0 && undone.index == 1)
        #expect(try await fixture.trashed().isEmpty)
    }

    @Test(
        "a command that ends at any request leaves what is in the trash undoable",
        arguments: FaultyObjectStore.Fault.allCases)
    func interrupted(_ fault: FaultyObjectStore.Fault) async throws {
        var call = 0
        while true {
            let fixture = try await UndoFixture()
            _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg"))
            let faulty = FaultyObjectStore(fixture.laptop.store.memory)
            faulty.arm(fault, at: call)
            let trash = PhotoTrash(
                CatalogStore(
                    store: faulty, user: .bob, device: DeviceTag(value: 1), recorder: fixture.file(), pause: .none))
            _ = try? await trash.moveToTrash(fixture.at("b.jpg"))
            await faulty.applyLateChange()
            let isMoved = try await fixture.trashed().contains("b.jpg")
            let undone = try await fixture.undo()
            #expect(undone.restored == 1 && undone.changed == 0, "request \(call)")
            #expect(try await fixture.trashed() == (isMoved ? ["a.jpg"] : []), "request \(call)")
            if faulty.faultedRequest == .nothing { break }
            call += 1
        }
        #expect(call > 3)
    }

    @Test("a command killed after its commit is undone, also if the next one is killed before its commit")
    func killedAfterCommit() async throws {
        let fixture = try await UndoFixture()
        _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg"))
        _ = try await fixture.trash().moveToTrash(fixture.at("b.jpg"))
        try await fixture.recordUncommitted("c.jpg")
        #expect(try await fixture.file().read().count == 2)
        #expect(try await fixture.undo().restored == 1)
        #expect(try await fixture.trashed() == ["a.jpg"])
    }

    @Test("a committed change that another device changed since is not passed over for an older one")
    func changedSince() async throws {
        let fixture = try await UndoFixture()
        _ = try await fixture.trash().moveToTrash(fixture.at("a.jpg"))
        _ = try await fixture.trash().moveToTrash(fixture.at("b.jpg"))
        _ = try await fixture.trash(2).restore(fixture.at("b.jpg"))
        let undone = try await fixture.undo()
        #expect(!undone.isDone && undone.changed == 1)
        #expect(try await fixture.trashed() == ["a.jpg"])
    }

    @Test("a committed change replaces those before it in the record")
    func replaced() async throws {
        let fixture = try await UndoFixture()
        for name in ["a.jpg", "b.jpg", "c.jpg"] { _ = try await fixture.trash().moveToTrash(fixture.at(name)) }
        // The last change counts as committed only for the command after it.
        #expect(try await fixture.file().read().count == 2)
        _ = try await fixture.trash().restore(fixture.at("a.jpg"))
        #expect(try await fixture.file().read().map(\.change.command) == [.restore, .trash])
    }
}
