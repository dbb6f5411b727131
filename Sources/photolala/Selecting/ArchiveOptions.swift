import ArgumentParser
import PhotolalaClient

/// Options for archived photos.
struct ArchiveOptions: ParsableArguments {
    @Flag(help: "Ask for photos that are archived; the same command brings them some hours later.")
    var askBack = false

    @Option(
        help: ArgumentHelp(
            "How fast, and how dear: bulk (5 to 12 hours, up to 48), standard (3 to 5 hours, up to 12) or expedited (minutes). Else standard.",
            valueName: "speed"))
    var retrieval: ArchiveRequest.Speed?

    @Option(help: ArgumentHelp("For how many days they can be restored then. Else 7.", valueName: "n"))
    var days: Int?

    /// The archive request; `nil` if nothing is to be requested.
    var request: ArchiveRequest? {
        guard askBack else { return nil }
        var request = ArchiveRequest()
        if let retrieval { request.speed = retrieval }
        if let days { request.days = days }
        return request
    }

    func validate() throws {
        if !askBack, retrieval != nil || days != nil {
            throw ValidationError("--retrieval and --days say how to ask: add --ask-back.")
        }
        if let days, !(1...ArchiveRequest.maximumDays).contains(days) {
            throw ValidationError("--days takes 1 to \(ArchiveRequest.maximumDays).")
        }
    }
}

extension ArchiveRequest.Speed: ExpressibleByArgument {}
