import Foundation
import NIOCore
import PhotoCatalog
import PhotoSync
import Testing
import VipsThumbnails

/// The tool's process, replaced by scripts that misbehave.
@Suite struct VipsThumbnailMakerTests {
    private static let jpeg = "\\377\\330\\377\\340photo\\377\\331"

    /// Returns a maker whose tool is a script.
    private func maker(
        _ script: String, _ limits: ThumbnailLimits = ThumbnailLimits(), in folder: URL,
        pause: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Task.sleep(for: .seconds(300)) }
    ) throws -> VipsThumbnailMaker {
        let tool = folder.appendingPathComponent("vipsthumbnail")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: tool)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
        return VipsThumbnailMaker(tool: tool.path, limits: limits, pause: pause)
    }

    private func withFolder(_ act: (URL, _ photo: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("thumb-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // A name with characters that a shell or the tool would interpret.
        let photo = folder.appendingPathComponent("-o $(touch x) `y` [page=2].jpg")
        try Data("a photo".utf8).write(to: photo)
        try await act(folder, photo.path)
    }

    @Test("the tool receives the bytes without a path, and its output is the thumbnail")
    func made() async throws {
        try await withFolder { folder, photo in
            let tool = try maker(
                #"[ "$(cat)" = "a photo" ] && [ "$1" = stdin ] && printf '\#(Self.jpeg)'"#, in: folder)
            let thumbnail = try await tool.thumbnail(of: photo)
            let expected: [UInt8] = [0xff, 0xd8, 0xff, 0xe0] + Array("photo".utf8) + [0xff, 0xd9]
            #expect(Array(thumbnail.bytes.readableBytesView) == expected)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        }
    }

    @Test(
        "a tool that fails, crashes or writes invalid output produces no thumbnail",
        arguments: [
            "exit 1", "kill -SEGV $$", "exit 0", "echo no picture", "printf '\(jpeg)'; exit 3",
            "printf '\(jpeg)more'", "dd if=/dev/zero bs=1024 count=300 2>/dev/null", "nosuchcommand",
        ])
    func failing(script: String) async throws {
        try await withFolder { folder, photo in
            let tool = try maker(script, in: folder)
            await #expect(throws: ThumbnailError.notMade) { try await tool.thumbnail(of: photo) }
        }
    }

    @Test("the tool cannot write files or exceed its memory and processor time limits")
    func limited() async throws {
        try await withFolder { folder, photo in
            var limits = ThumbnailLimits()
            limits.processorSeconds = 1
            limits.memory = 256 << 20
            let place = folder.appendingPathComponent("written").path
            let scripts = [
                "trap '' XFSZ; echo x >'\(place)'; [ -s '\(place)' ] && printf '\(Self.jpeg)'",
                "[ $(ulimit -v) = 262144 ] || printf '\(Self.jpeg)'",
                "while :; do :; done",
            ]
            for script in scripts {
                let tool = try maker(script, limits, in: folder)
                await #expect(throws: ThumbnailError.notMade, "\(script)") { try await tool.thumbnail(of: photo) }
            }
        }
    }

    @Test("a tool that takes too long or whose caller is cancelled is ended")
    func tooSlow() async throws {
        try await withFolder { folder, photo in
            let tool = try maker("exec sleep 300", in: folder) { _ in }
            await #expect(throws: ThumbnailError.tooSlow) { try await tool.thumbnail(of: photo) }
            let slow = try maker("echo $$ >&2; exec sleep 300", in: folder)
            let task = Task { try await slow.thumbnail(of: photo) }
            task.cancel()
            await #expect(throws: ThumbnailError.cancelled) { try await task.value }
        }
    }

    @Test("a missing photo has no thumbnail, and a missing tool is not found")
    func missing() async throws {
        try await withFolder { folder, photo in
            let tool = try maker("printf '\(Self.jpeg)'", in: folder)
            await #expect(throws: ThumbnailError.notMade) { try await tool.thumbnail(of: "\(photo).gone") }
            #expect(VipsThumbnailMaker.find(in: "/nowhere:relative:\(folder.path)") == "\(folder.path)/vipsthumbnail")
            #expect(VipsThumbnailMaker.find(in: "/nowhere:relative") == nil)
        }
    }
}
