import Foundation
import PhotolalaTesting
import Testing

/// Two folders of one person, through the shipped programs.
@Suite(.serialized) struct SyncJourneyTests {
    struct Devices {
        let laptop: CommandLineDevice
        let phone: CommandLineDevice
        let here: URL
        let there: URL

        func sync(_ device: CommandLineDevice, _ words: String...) async throws -> [String: Any] {
            let folder = device.profile == laptop.profile ? here : there
            let run = try await device.start(["sync", folder.path, "--no-thumbnails", "--json"] + words).finish()
            #expect(run.status == 0, "\(run.errors)")
            return try run.json()
        }

        /// Waits until a sync of the device's folder no longer defers recently changed files.
        func waitUntilAtRest(_ device: CommandLineDevice) async throws {
            try await waitUntil("a sync defers no files", every: .milliseconds(250)) {
                try await sync(device, "--dry-run")["waitingFiles"] as? Int == 0
            }
        }

        /// Returns the files of the folders without the library's own.
        func manifests() throws -> [[String: [String]]] {
            try [here, there].map { folder in
                try PhotoFolder.manifest(folder).filter { !$0.key.contains(".photolala") }
            }
        }
    }

    static func withDevices(_ test: (Devices, ServerProcess) async throws -> Void) async throws {
        try await withTemporaryFolder { folder, transport in
            let places = ["data", "here", "there"].map { folder.appendingPathComponent($0) }
            for place in places {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            }
            let server = try await ServerProcess(data: places[0], transport: transport)
            let devices = ["laptop", "phone"].map {
                CommandLineDevice(profile: folder.appendingPathComponent($0), server: server.address)
            }
            #expect(try await devices[0].run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            #expect(try await devices[1].run("signin", "--provider", "apple", "--dev-user", "bob").status == 0)
            try await test(
                Devices(laptop: devices[0], phone: devices[1], here: places[1], there: places[2]), server)
            server.kill()
        }
    }

    @Test("the first sync of a read-only folder names the backup", .enabled(if: MountedDisk.canBeMade))
    func readOnlyFolder() async throws {
        try await Self.withDevices { devices, _ in
            let view = devices.here.appendingPathExtension("view").path
            try await MountedDisk.withReadOnlyView(of: devices.here.path, at: view) {
                let run = try await devices.laptop.run("sync", view, "--up-only")
                #expect(run.status == 1 && run.errors.contains("photolala backup \(view)"), "\(run.errors)")
            }
        }
    }

    @Test("edits in either folder are synced to the other, and the folders end equal")
    func edits() async throws {
        try await Self.withDevices { devices, _ in
            try PhotoFolder.make(12, in: devices.here)
            try await devices.waitUntilAtRest(devices.laptop)
            #expect(try await devices.sync(devices.laptop)["uploadedFiles"] as? Int == 12)
            #expect(try await devices.sync(devices.phone)["downloadedFiles"] as? Int == 12)
            #expect(try devices.manifests()[0] == devices.manifests()[1])
            let (summer, bread) = ("2023/Summer", "Käse & ’Brot’")
            try FileManager.default.removeItem(at: devices.here.appendingPathComponent("\(summer)/IMG_0.jpg"))
            try FileManager.default.moveItem(
                at: devices.there.appendingPathComponent(bread), to: devices.there.appendingPathComponent("bread"))
            try PhotoFolder.make(14, in: devices.there.appendingPathComponent("more"), size: 30_000)
            for device in [devices.laptop, devices.phone] { try await devices.waitUntilAtRest(device) }
            let dry = try await devices.sync(devices.phone, "--dry-run")
            let sent = try await devices.sync(devices.phone)
            #expect(sent["addedFiles"] as? Int == 20 && dry["addedFiles"] as? Int == 20)
            #expect(sent["uploadedFiles"] as? Int == 14)
            let back = try await devices.sync(devices.laptop)
            #expect(back["trashedInLibrary"] as? [String] == ["\(summer)/IMG_0.jpg"])
            #expect(back["movedFiles"] as? Int == 6 && back["downloadedFiles"] as? Int == 14)
            let last = try await devices.sync(devices.phone)
            #expect(last["trashedHere"] as? [String] == ["\(summer)/IMG_0.jpg"])
            let manifests = try devices.manifests()
            #expect(manifests[0] == manifests[1] && manifests[0].count == 25)
        }
    }

    @Test("a sync that is killed repeatedly ends with equal folders")
    func killed() async throws {
        try await Self.withDevices { devices, _ in
            try PhotoFolder.make(60, in: devices.here, size: 60_000)
            try await devices.waitUntilAtRest(devices.laptop)
            for (device, folder) in [(devices.laptop, devices.here), (devices.phone, devices.there)] {
                for lines in [5, 25, 45] {
                    let running = try device.start(["sync", folder.path, "--no-thumbnails"])
                    try await waitUntil("the journals have \(lines) rows", every: .milliseconds(2)) {
                        try !running.isRunning || journalRows(of: device) >= lines
                    }
                    running.kill()
                    _ = try await running.finish()
                }
                _ = try await devices.sync(device)
            }
            let manifests = try devices.manifests()
            #expect(manifests[0] == manifests[1] && manifests[0].count == 60)
        }
    }

    @Test("a watching sync transfers changes in both directions, and Ctrl-C ends it")
    func watching() async throws {
        try await Self.withDevices { devices, _ in
            let watching = try devices.phone.start([
                "sync", devices.there.path, "--watch", "--every", "1", "--no-thumbnails", "--json",
            ])
            func line(_ number: Int) async throws -> [String: Any] {
                try await waitUntil("the watching sync has printed line \(number)") {
                    !watching.isRunning || watching.lines.count > number
                }
                let text = try #require(watching.lines.dropFirst(number).first, "it ended")
                let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
                return try #require(object?["report"] as? [String: Any], "\(text)")
            }
            #expect(try await line(0)["localFiles"] as? Int == 0)
            try PhotoFolder.make(2, in: devices.here)
            try await devices.waitUntilAtRest(devices.laptop)
            _ = try await devices.sync(devices.laptop)
            #expect(try await line(1)["downloadedFiles"] as? Int == 2)
            try PhotoFolder.make(3, in: devices.there.appendingPathComponent("new"), size: 30_000)
            // Files written during a scan may arrive in two passes.
            var (added, number) = (0, 2)
            while added < 3 {
                added += try #require(try await line(number)["addedFiles"] as? Int)
                number += 1
            }
            watching.interrupt()
            #expect(try await watching.finish().status == 130)
            let lines = watching.lines.map {
                (definition: $0.hasPrefix(#"{"error""#) ? "error" : "sync-watch", line: $0)
            }
            #expect(lines.last?.definition == "error" && lines.count > 2)
            try await OutputSchema.expectValid(lines, in: devices.laptop.profile)
            _ = try await devices.sync(devices.laptop)
            let manifests = try devices.manifests()
            #expect(manifests[0] == manifests[1] && manifests[0].count == 5)
        }
    }

    /// Returns the number of lines in the device's journals.
    private func journalRows(of device: CommandLineDevice) throws -> Int {
        let folder = device.profile.appendingPathComponent("library").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return try names.filter { $0.hasSuffix(".journal") }.reduce(0) { sum, name in
            sum + (try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))).count { $0 == UInt8(ascii: "\n") }
        }
    }
}
