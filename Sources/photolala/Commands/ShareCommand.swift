import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Share photos by links.",
        discussion: """
            A link shows an album or photos to anyone who has its address, without an account. Without a subcommand, \
            lists the links.
            """,
        subcommands: [CreateShareCommand.self, ListSharesCommand.self, RevokeShareCommand.self],
        defaultSubcommand: ListSharesCommand.self
    )

    /// Performs a call, and reports a server without shared links as a failure, not as a rejected sign-in.
    static func call<Value>(_ act: () async throws -> Value) async throws -> Value {
        do {
            return try await act()
        } catch let error as PhotolalaError where error.code == .notAllowed {
            throw CommandFailure(error, status: .failed)
        }
    }
}

struct ListSharesCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the links with their addresses, also those that have expired.")

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> SharedLinksResult {
        SharedLinksResult(
            links: try await ShareCommand.call { try await context.library.sharedLinks() }, now: Date())
    }
}

struct CreateShareCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a link and print its address.",
        discussion: """
            A link to an album shows what the album contains when the link is opened. Photos in the trash are not \
            shown. Hidden photos are shared in an album or by their own paths; of a folder they are left out. Visitors see \
            when photos were taken; where is only in the originals, with --include-location.
            """
    )

    @Argument(
        help: ArgumentHelp("Photos and folders, by library path; at most 1,000 photos.", valueName: "path"))
    var paths: [String] = []

    @Option(help: ArgumentHelp("Share the album with this name, ignoring case, or this ID.", valueName: "album"))
    var album: String?

    @Option(
        help: ArgumentHelp(
            "Heading of the page. Default: the album's name, or the days of the photos.", valueName: "title"))
    var title: String?

    @Option(
        help: ArgumentHelp(
            "When the link ends: a number of days such as 7d, a day such as 2027-01-31, or never.", valueName: "time"))
    var expires = ExpiryOption.days(NewSharedLink.standardDays)

    @Option(
        help: ArgumentHelp(
            "Ask visitors for the password in the first line of this file; - for standard input.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Flag(help: "Offer the originals for download. Otherwise visitors only view the photos.")
    var allowDownloads = false

    @Flag(help: "Send originals unchanged, with the places where they were taken.")
    var includeLocation = false

    @OptionGroup var common: CommonOptions

    /// The maximum length of a title, in bytes.
    private static let longestTitle = 256
    /// The maximum length of a password, in bytes.
    private static let longestPassword = 128

    func validate() throws {
        for path in paths { try TextChecks.check(path, of: "PATH", expects: "a photo or folder") }
        try TextChecks.check(album, of: "--album", expects: "a name or ID")
        guard title?.utf8.count ?? 0 <= Self.longestTitle else {
            throw ValidationError("--title must have at most \(Self.longestTitle) bytes.")
        }
        try TextChecks.check(title, of: "--title", limit: Self.longestTitle)
        try TextChecks.check(passwordFile, of: "--password-file", expects: "a file")
        guard paths.isEmpty != (album == nil) else {
            throw ValidationError("Give either --album or the library paths of photos.")
        }
        if let end = expires.end(from: Date(), in: .current), end <= Date() {
            throw ValidationError("--expires: this day is past.")
        }
    }

    func perform(_ context: CommandContext) async throws -> SharedLinksResult {
        let settings = SharedLinkSettings(
            expiry: expires.end(from: Date(), in: .current).map(SharedLinkExpiry.at) ?? .never,
            password: try passwordFile.map { try PasswordFile.line(of: $0, longest: Self.longestPassword) },
            allowsDownloads: allowDownloads, includesLocation: includeLocation)
        let link = try await ShareCommand.call {
            if let album { return try await context.library.shareAlbum(album, title: title, settings) }
            return try await context.library.sharePhotos(
                try await photos(in: context.library), title: title, locale: Locale(identifier: "en"), settings)
        }
        return SharedLinksResult(links: [link], now: Date())
    }

    /// Returns the photos at the paths. Hidden ones have to be given themselves.
    private func photos(in library: PhotolalaLibrary) async throws -> [LibraryPhoto] {
        var filter = PhotoFilter()
        filter.paths = paths
        let photos: LibraryPhotos
        do throws(PhotolalaError) { photos = try await library.photos(where: filter).withoutDuplicates } catch {
            guard error.code == .notFound else { throw error }
            let albums = Set(try await library.albums().map { $0.name.lowercased() })
            let named = paths.filter { albums.contains($0.lowercased()) }
            let sharing = named.map {
                "To share the album:  \(SuggestedCommand.text("photolala share create --album=?", $0))"
            }
            throw CommandFailure(error, advice: sharing.isEmpty ? Advice.general(for: error) : sharing)
        }
        filter.isHidden = true
        let hidden = try await library.photos(where: filter).filter { !paths.contains($0.path) }
        let omitted = Set(hidden.map(\.md5))
        let shared = photos.filter { !omitted.contains($0.md5) }
        guard !shared.isEmpty || photos.isEmpty else {
            throw CommandFailure(
                "All of these photos are hidden. Hidden photos are shared only by their own paths, or in an album.",
                advice: ["To list them:  photolala hidden list"], status: .wrongUsage)
        }
        let count = photos.count - shared.count
        if !common.json, count > 0 { Terminal.writeNotice("Not shared: \(Counted.text(count, "hidden photo")).") }
        return shared
    }
}

struct RevokeShareCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Delete a link: its address opens nothing any more.")

    @Argument(help: ArgumentHelp("ID or address of the link.", valueName: "link"))
    var link: String

    @OptionGroup var confirmation: ConfirmationOption

    @OptionGroup var common: CommonOptions

    func validate() throws { try TextChecks.check(link, of: "LINK", expects: "an ID or address") }

    func perform(_ context: CommandContext) async throws -> DoneResult {
        try confirmation.requireAnswer("Nothing was deleted.")
        let links = try await ShareCommand.call { try await context.library.sharedLinks() }
        let address = link.prefix { $0 != "?" && $0 != "#" }
        guard
            let found = links.first(where: {
                $0.id == link || address == $0.address || address.hasPrefix("\($0.address)/")
            })
        else {
            throw CommandFailure(
                "Your account has no link with this ID or address.", code: .notFound,
                advice: ["To list your links:  photolala share list"])
        }
        if !confirmation.yes {
            let question = Terminal.sanitized("Delete the link “\(found.title)”? Its address opens nothing any more.")
            guard await Confirmation.prompt(question) else { return DoneResult(summary: "Nothing was deleted.") }
        }
        try await ShareCommand.call { try await context.library.revokeSharedLink(found.id) }
        return DoneResult(summary: Terminal.sanitized("Deleted the link “\(found.title)”."))
    }
}
