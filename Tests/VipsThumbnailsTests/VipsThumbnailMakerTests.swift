import Foundation
import PhotoCatalog
import PhotoSync
import PhotolalaTesting
import Testing

@testable import VipsThumbnails

extension VipsThumbnailMaker {
    /// Makes a thumbnail only.
    func thumbnail(of path: String, type: MediaType) async throws(ThumbnailError) -> Thumbnail {
        try await pictures(of: path, type: type, preview: nil).thumbnail
    }
}

/// The worker process, replaced by scripts that misbehave.
@Suite struct VipsThumbnailMakerTests {
    /// A folder with a worker that is a script.
    private struct Fixture {
        let folder: URL
        /// A name with characters that a shell would interpret.
        var photo: String { folder.appendingPathComponent("-o $(touch x) `y` [page=2].jpg").path }
        var worker: String { folder.appendingPathComponent("photolala-thumbnailer").path }

        static let thumbnail = PhotoBytes.picture(1)

        /// Returns the command that prints a reply with a picture.
        static func reply(_ kind: UInt8, _ bytes: [UInt8]) -> String {
            let all = [kind] + PhotoBytes.big32(bytes.count) + bytes
            let digits = all.map { byte in
                "\\" + [byte >> 6, byte >> 3 & 7, byte & 7].map { "\($0)" }.joined()
            }
            return "printf '\(digits.joined())'"
        }

        /// Writes the script. Its process appends its id to the file `started`, and waits for a photo with `request`.
        func maker(
            _ script: String, processes: Int = 1,
            pause: @escaping @Sendable (Duration) async throws -> Void = { _ in
                try await Task.sleep(for: .seconds(300))
            }
        ) throws -> VipsThumbnailMaker {
            let start = """
                #!/bin/sh
                cd '\(folder.path)' && echo $$ >>started
                ready() { printf '\\001\\0\\0\\0\\0'; }
                request() { [ "$(dd bs=2 count=1 2>/dev/null | wc -c)" -eq 2 ] || exit 0; }
                made() { \(Self.reply(3, Self.thumbnail)); }
                not_made() { printf '\\004\\0\\0\\0\\0'; }

                """
            try Data((start + script + "\n").utf8).write(to: URL(fileURLWithPath: worker))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
            return VipsThumbnailMaker(worker: worker, processes: processes, pause: pause)
        }

        /// The ids of the started processes.
        var started: [pid_t] {
            let text = try? String(contentsOf: folder.appendingPathComponent("started"), encoding: .utf8)
            return (text ?? "").split(separator: "\n").compactMap { pid_t($0) }
        }
    }

    private static let serving = "ready; while request; do made; done"

    private func withFixture(_ act: (Fixture) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("thumb-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let fixture = Fixture(folder: folder)
        try Data("a photo".utf8).write(to: URL(fileURLWithPath: fixture.photo))
        try await act(fixture)
    }

    /// Returns whether a process exists, or is a zombie.
    private func exists(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

    /// Returns whether a process exists and is no zombie.
    private func isRunning(_ process: pid_t) -> Bool {
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return exists(process) && state?.contains(") Z ") != true
    }

    @Test("one worker makes consecutive thumbnails, without the path or the environment")
    func consecutive() async throws {
        try await withFixture { fixture in
            let maker = try fixture.maker("[ $# = 0 ] && [ -z \"$HOME\" ] || exit 1; \(Self.serving)")
            #expect(fixture.started.isEmpty)
            for _ in 1...5 {
                let thumbnail = try await maker.thumbnail(of: fixture.photo, type: .jpeg)
                #expect(Array(thumbnail.bytes.readableBytesView) == Fixture.thumbnail)
            }
            #expect(fixture.started.count == 1)
            await maker.endIdleProcesses()
            #expect(fixture.started.allSatisfy { !exists($0) })
            _ = try await maker.thumbnail(of: fixture.photo, type: .jpeg)
            #expect(fixture.started.count == 2)
            await maker.endIdleProcesses()
        }
    }

    @Test("a preview comes before its thumbnail, if it was requested and is a JPEG")
    func previews() async throws {
        try await withFixture { fixture in
            let expected = PhotoBytes.picture(2)
            let preview = "\(Fixture.reply(5, expected)); made"
            let broken = "printf '\\005\\0\\0\\0\\003big'; made"
            let maker = try fixture.maker(
                "ready; request; \(preview); request; \(broken); request; \(preview); request")
            let first = try await maker.pictures(of: fixture.photo, type: .jpeg, preview: 80)
            #expect(first.preview.map { Array($0.bytes.readableBytesView) } == expected)
            let second = try await maker.pictures(of: fixture.photo, type: .jpeg, preview: 80)
            #expect(second.preview == nil && second.thumbnail == first.thumbnail)
            await #expect(throws: ThumbnailError.self) {
                try await maker.pictures(of: fixture.photo, type: .jpeg, preview: nil)
            }
            #expect(fixture.started.allSatisfy { !exists($0) })
        }
    }

    @Test("a photo without a thumbnail keeps the worker")
    func notMade() async throws {
        try await withFixture { fixture in
            let text = "\\003\\0\\0\\0\\012no picture"
            let maker = try fixture.maker("ready; request; not_made; request; printf '\(text)'; request; made; request")
            for _ in 1...2 {
                await #expect(throws: ThumbnailError.notMade) {
                    try await maker.thumbnail(of: fixture.photo, type: .jpeg)
                }
            }
            await #expect(throws: ThumbnailError.notMade) {
                try await maker.thumbnail(of: "\(fixture.photo).gone", type: .jpeg)
            }
            _ = try await maker.thumbnail(of: fixture.photo, type: .jpeg)
            #expect(fixture.started.count == 1)
            await maker.endIdleProcesses()
        }
    }

    @Test(
        "a worker that fails is replaced, and only its photo has no thumbnail",
        arguments: [
            "exit 1", "kill -SEGV $$", "made", "ready; exit 0", "ready; request; exit 0",
            "ready; request; kill -SEGV $$", "ready; request; ready; request", "ready; request; echo no reply",
            "ready; request; printf '\\003\\0\\377\\0\\0'; cat", "ready; request; printf '\\003\\0\\0\\0\\011abc'",
        ])
    func failing(script: String) async throws {
        try await withFixture { fixture in
            let maker = try fixture.maker("[ $(wc -l <started) -gt 1 ] || { \(script); exit 3; }; \(Self.serving)")
            let error = await #expect(throws: ThumbnailError.self) {
                try await maker.thumbnail(of: fixture.photo, type: .jpeg)
            }
            guard case .toolFailed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(fixture.started.allSatisfy { !exists($0) })
            _ = try await maker.thumbnail(of: fixture.photo, type: .jpeg)
            #expect(fixture.started.count == 2)
            await maker.endIdleProcesses()
        }
    }

    @Test("a worker that takes too long is ended with its children and replaced", .timeLimit(.minutes(1)))
    func tooSlow() async throws {
        try await withFixture { fixture in
            let maker = try fixture.maker(
                """
                [ $(wc -l <started) -gt 1 ] && { \(Self.serving); }
                sleep 300 & echo $! >>started; ready; request; echo x >asked; wait
                """
            ) { _ in
                // The time is over when the worker has the photo, and never for the second worker.
                let asked = fixture.folder.appendingPathComponent("asked")
                while !FileManager.default.fileExists(atPath: asked.path) {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                try FileManager.default.removeItem(at: asked)
            }
            await #expect(throws: ThumbnailError.tooSlow) { try await maker.thumbnail(of: fixture.photo, type: .jpeg) }
            #expect(fixture.started.count == 2 && !exists(fixture.started[0]))
            // Another process collects the killed child.
            while isRunning(fixture.started[1]) { await Task.yield() }
            _ = try await maker.thumbnail(of: fixture.photo, type: .jpeg)
            await maker.endIdleProcesses()
        }
    }

    @Test("a cancelled caller ends its worker, also while it waits for one")
    func cancelled() async throws {
        try await withFixture { fixture in
            let maker = try fixture.maker("ready; request; exec sleep 300")
            let tasks = (1...3).map { _ in Task { try await maker.thumbnail(of: fixture.photo, type: .jpeg) } }
            while fixture.started.isEmpty { await Task.yield() }
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: ThumbnailError.cancelled) { try await task.value } }
            #expect(fixture.started.allSatisfy { !exists($0) })
        }
    }

    @Test("not more workers run than permitted")
    func parallel() async throws {
        try await withFixture { fixture in
            let maker = try fixture.maker(Self.serving, processes: 2)
            try await withThrowingTaskGroup(of: Thumbnail.self) { group in
                for _ in 1...20 { group.addTask { try await maker.thumbnail(of: fixture.photo, type: .jpeg) } }
                var count = 0
                for try await _ in group { count += 1 }
                #expect(count == 20)
            }
            #expect((1...2).contains(fixture.started.count))
            await maker.endIdleProcesses()
            #expect(fixture.started.allSatisfy { !exists($0) })
        }
    }

    @Test("without libvips nothing is made, and no second worker starts")
    func missingLibrary() async throws {
        try await withFixture { fixture in
            let maker = try fixture.maker("printf '\\002\\0\\0\\0\\0'; exit 1")
            #expect(!maker.isMissing)
            for _ in 1...2 {
                await #expect(throws: ThumbnailError.missing) {
                    try await maker.thumbnail(of: fixture.photo, type: .jpeg)
                }
            }
            #expect(maker.isMissing && fixture.started.count == 1)
        }
    }

    @Test("without ffmpeg videos lack a program, and without a worker nothing is tried")
    func lacking() async throws {
        try await withFixture { fixture in
            let maker = VipsThumbnailMaker(worker: fixture.worker, processes: 1) { _ in }
            #expect(!maker.canMake(.mp4) && maker.lacksProgram(for: .mp4) && maker.lacksProgram(for: .ogg))
            #expect(maker.canMake(.jpeg) && !maker.lacksProgram(for: .jpeg) && !maker.lacksProgram(for: .png))
            let none = VipsThumbnailMaker.notInstalled
            #expect(none.isMissing && none.canMake(.mp4) && none.canMake(.heic) && !none.lacksProgram(for: .mp4))
            await #expect(throws: ThumbnailError.missing) {
                try await none.thumbnail(of: fixture.photo, type: .jpeg)
            }
        }
    }

    @Test("the worker is found beside the program, and then on the path")
    func find() async throws {
        try await withFixture { fixture in
            _ = try fixture.maker(Self.serving)
            let (folder, worker) = (fixture.folder.path, fixture.worker)
            #expect(VipsThumbnailMaker.findWorker(beside: "\(folder)/photolala", in: "/nowhere") == worker)
            #expect(VipsThumbnailMaker.findWorker(beside: "/nowhere/photolala", in: "relative:\(folder)") == worker)
            #expect(VipsThumbnailMaker.findWorker(beside: nil, in: "/nowhere:relative") == nil)
            #expect(VipsThumbnailMaker.findFFmpeg(in: folder) == nil)
        }
    }
}
