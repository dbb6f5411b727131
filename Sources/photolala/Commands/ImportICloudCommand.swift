import ArgumentParser
import Foundation
import PhotolalaClient

struct ImportICloudCommand: ServiceImportCommand {
    static let configuration = CommandConfiguration(
        commandName: "icloud", abstract: "Upload the photos of a copy of iCloud Photos.",
        discussion: """
            The copy comes from privacy.apple.com, "Request a copy of your data". Give all its ZIP archives together, or \
            a folder that has them: albums are in another one than their photos. Photos get the dates and favorites of \
            iCloud. For a folder that the Photos app exported:  photolala backup FOLDER. Photos that the library has are \
            not uploaded again; nothing is replaced or removed. An interrupted import resumes when you run it again.
            """
    )

    @OptionGroup var arguments: ServiceImportArguments<ICloudFacts>

    @OptionGroup var common: CommonOptions

    func start(
        _ parts: [URL], _ options: ServiceImportOptions, in library: PhotolalaLibrary
    ) -> Transfer<TransferProgress, ICloudImportReport> {
        library.importICloud(parts, options: options)
    }
}

extension ICloudFacts: ServiceFacts {
    static let service = PhotoService.iCloud
    static let descriptionFiles = "Tables"

    var counts: [(text: String, number: Int)] {
        [
            ("Hidden in iCloud Photos (imported)", hidden), ("In shared albums (imported)", sharedAlbumPhotos),
            ("Memories (not imported)", memories), ("Empty files whose photo is in another one", emptyFiles),
        ]
    }

    var problems: [(title: String, paths: [String])] {
        [
            ("Archives in archives, not imported; unpack them and give their folders:", unopenedArchives),
            ("Not in their albums, because several photos or none have the name:", unresolvedAlbumPhotos),
        ]
    }
}
