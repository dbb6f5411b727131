import ArgumentParser
import PhotolalaClient

/// Options for archived photos.
struct ArchiveOptions: ParsableArguments {
    @Flag(help: "Request archived photos. Run the same command again some hours later to include them.")
    var requestArchived = false

    @Option(
        help: ArgumentHelp(
            "Retrieval tier: bulk (5 to 12 hours, up to 48), standard (3 to 5 hours, up to 12) or expedited (minutes; most expensive). Default: standard.",
            valueName: "speed"))
    var speed: ArchiveRequest.Speed?

    @Option(help: ArgumentHelp("Number of days that requested photos stay available. Default: 7.", valueName: "n"))
    var days: Int?

    /// The archive request; `nil` if nothing is to be requested.
    var request: ArchiveRequest? {
        guard requestArchived else { return nil }
        var request = ArchiveRequest()
        if let speed { request.speed = speed }
        if let days { request.days = days }
        return request
    }

    func validate() throws {
        if !requestArchived, speed != nil || days != nil {
            throw ValidationError("--speed and --days require --request-archived.")
        }
        if let days, !(1...ArchiveRequest.maximumDays).contains(days) {
            throw ValidationError("--days must be 1 to \(ArchiveRequest.maximumDays).")
        }
    }
}

extension ArchiveRequest.Speed: ExpressibleByArgument {}
