import Foundation
import ObjectStorage
import PhotolalaTesting
import Testing

@testable import PhotoSync

/// A seeded schedule of three devices that sync and one that only backs up: edits, syncs with faults, syncs during
/// which other devices sync or edit, backups of synced folders, power failures that lose the last rows of a journal,
/// disks that lose unflushed data, folders that lose their mark, and devices that lose their state.
actor SyncSchedule {
    private let seed: UInt64
    private var random: SeededGenerator
    private let library = SyncLibrary()
    private let devices: [SyncDevice]
    private var contents: Set<[UInt8]> = []
    /// Contents that a user removed before any sync read them.
    private var unseen: Set<[UInt8]> = []
    /// Contents that a user removed or overwrote at some path.
    private var removedContents: Set<[UInt8]> = []
    /// Whether mass removals are confirmed; otherwise they are held until all devices settle.
    private let insists: Bool
    private var trace: [String] = []
    private let names = ["a.jpg", "b.jpg", "x/a.jpg", "x/y/c.jpg", "x/y/d.jpg", "a.jpg/n.jpg", "x/y"]

    init(_ seed: UInt64) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        let store = library.store
        devices = try (1...4).map { try SyncDevice($0, store: store) }
        insists = seed % 3 > 0
    }

    func run() async throws {
        do {
            for _ in 0..<number(in: 6..<20) { try await act() }
            try await syncUntilEqual()
            try await check()
        } catch {
            Issue.record("\(error)\n\(failureReport)")
        }
    }

    private func act() async throws {
        let device = number(in: 0..<3)
        switch number(in: 0..<12) {
        case 0...4: try await edit(device)
        case 5: await syncBadly(device)
        case 6: await syncInterrupted(device)
        case 7: await sync(device, through: library.store)
        case 8: try await forget(device)
        case 9: try await pullDisk(device)
        case 10: try await edit(3)
        default: await backUp(number(in: 0..<4))
        }
    }

    private var failureReport: String { "PHOTOLALA_SEED=\(seed)\n" + trace.joined(separator: "\n") }

    private func number(in range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private func record(_ line: String) { trace.append(line) }

    private func edit(_ number: Int) async throws {
        let device = devices[number]
        let present = try device.photos().keys.sorted()
        let name = Bool.random(using: &random) ? present.randomElement(using: &random) : nil
        let free = names.randomElement(using: &random) ?? ""
        switch self.number(in: 0..<7) {
        case 0...2:
            let path = name ?? free
            try await lose(path, on: device)
            try await clear(path, present, on: device)
            try write(path, on: device)
            record("\(number) writes \(path)")
        case 3, 4:
            guard let name else { return }
            try await lose(name, on: device)
            try device.remove(name)
            record("\(number) removes \(name)")
        case 5:
            guard let name, !isBlocked(free, by: present), !free.hasPrefix(name + "/") else { return }
            try? device.remove(free)
            try device.move(name, to: free)
            record("\(number) moves \(name) to \(free)")
        default:
            guard let name, let other = present.randomElement(using: &random), other != name else { return }
            try await lose(name, on: device)
            let bytes = try device.folder.read(other)
            try device.remove(name)
            try device.folder.write(name, bytes)
            record("\(number) copies \(other) to \(name)")
        }
    }

    /// Whether a file exists at a path, below it, or in place of one of its folders.
    private func isBlocked(_ path: String, by present: [String]) -> Bool {
        present.contains { $0 == path || $0.hasPrefix(path + "/") || path.hasPrefix($0 + "/") }
    }

    /// Replaces a file by a folder, or a folder by a file.
    private func clear(_ path: String, _ present: [String], on device: SyncDevice) async throws {
        for other in present where other.hasPrefix(path + "/") || path.hasPrefix(other + "/") {
            try await lose(other, on: device)
            try device.remove(other)
        }
        // The rest is an empty folder.
        if !present.contains(path) { try? device.remove(path) }
    }

    /// Records that a user removes a content from a path; if the library never had it, it cannot be kept.
    private func lose(_ path: String, on device: SyncDevice) async throws {
        guard let bytes = try device.photos()[path] else { return }
        removedContents.insert(bytes)
        if try await !library.everything().contains(bytes) { unseen.insert(bytes) }
    }

    /// Writes a new content of a unique length, so that clock resolution cannot hide the change.
    private func write(_ path: String, on device: SyncDevice) throws {
        let count = contents.count
        let bytes = PhotoBytes.jpeg(count, length: 600 + count)
        contents.insert(bytes)
        let date = Date(timeIntervalSince1970: 1_600_000_000 + Double(number(in: 0..<50)))
        try device.folder.write(path, bytes, modified: date)
    }

    private func forget(_ number: Int) async throws {
        switch self.number(in: 0..<5) {
        case 0...2:
            let lines = self.number(in: 1..<8)
            try devices[number].forgetLines(lines)
            record("\(number) loses its last \(lines) lines")
        case 3:
            try? devices[number].remove(".photolala-folder")
            record("\(number) loses its mark")
        default:
            try devices[number].forgetEverything()
            record("\(number) forgets everything")
        }
    }

    private func pullDisk(_ number: Int) async throws {
        let device = devices[number]
        let before = Set(try device.photos().values)
        try device.disk.forget()
        let known = try await library.everything()
        unseen.formUnion(before.subtracting(try device.photos().values).subtracting(known))
        record("\(number) loses what was not flushed")
    }

    private func backUp(_ number: Int) async {
        do {
            let summary = try await devices[number].backUp()
            record("\(number) backs up: \(summary.progress.finishedFiles) \(summary.ending)")
        } catch {
            record("\(number) backs up: \(error)")
        }
    }

    private func sync(_ number: Int, through store: any ObjectStore, _ words: String = "") async {
        do {
            let summary = try await devices[number].sync(settings(insists), through: store)
            record("\(number) syncs \(words): \(summary.summaryText)")
        } catch {
            record("\(number) syncs \(words): \(error)")
        }
    }

    /// A sync with a fault, or one that ends, at one of its requests.
    private func syncBadly(_ number: Int) async {
        let faulty = FaultyObjectStore(library.store)
        guard let fault = FaultyObjectStore.Fault.allCases.randomElement(using: &random) else { return }
        faulty.arm(fault, at: self.number(in: 0..<14))
        await sync(number, through: faulty, "\(fault)")
        await faulty.applyLateChange()
    }

    /// A sync during which another device syncs or the user edits.
    private func syncInterrupted(_ number: Int) async {
        let interrupted = InterruptedObjectStore(library.store)
        let other = (number + self.number(in: 0..<3)) % 3
        interrupted.interrupt(before: self.number(in: 0..<14)) {
            if other == number {
                try? await self.edit(number)
            } else {
                await self.sync(other, through: self.library.store, "in the middle")
            }
        }
        await sync(number, through: interrupted, "interrupted")
    }

    private func settings(_ insists: Bool) -> SyncSettings {
        var settings = SyncSettings()
        settings.trashesAllMissing = insists
        return settings
    }

    /// Backs up and syncs all devices until none has changes. Removals of all photos are confirmed by now.
    private func syncUntilEqual() async throws {
        for round in 0..<9 {
            var isQuiet = true
            await backUp(3)
            for (number, device) in devices.prefix(3).enumerated() {
                let summary = try await device.sync(settings(true))
                record("round \(round): \(number) \(summary.summaryText)")
                if summary.didSomething || !summary.isEqual { isQuiet = false }
            }
            if isQuiet { return }
        }
        Issue.record("not quiet\n\(failureReport)")
    }

    private func check() async throws {
        let shown = try await library.photos()
        for (number, device) in devices.prefix(3).enumerated() {
            let here = try device.photos()
            #expect(here.keys.sorted() == shown.keys.sorted(), "device \(number)\n\(failureReport)")
            #expect(here == shown, "device \(number)\n\(failureReport)")
        }
        let lost = contents.subtracting(unseen).subtracting(removedContents).subtracting(shown.values)
        #expect(lost.isEmpty, "a photo that no device removed is in the trash\n\(failureReport)")
        var kept = try await library.everything()
        for device in devices { kept.formUnion(try device.trash()) }
        #expect(contents.subtracting(unseen).isSubset(of: kept), "a content is lost\n\(failureReport)")
    }
}

extension SyncSummary {
    fileprivate var summaryText: String {
        "added \(addedEntries) out \(restoredEntries) trashed \(trashedEntries) received "
            + "\(toFolder.progress.restoredFiles) moved \(movedFiles) trashed here \(trashedFiles) waiting "
            + "\(waitingFiles) failures \(failures) \(toFolder.failures) \(ending)"
    }
}
