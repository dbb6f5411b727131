import ArgumentParser
import Foundation
import PhotolalaClient

struct ImportEnteCommand: ServiceImportCommand {
    static let configuration = CommandConfiguration(
        commandName: "ente-export", abstract: "Upload the photos of an Ente export.",
        discussion: """
            Give the folder that Ente's desktop app or the ente export command wrote. Photos keep their Ente dates, places \
            and favorites; hidden ones stay hidden. A photo in several albums is listed in each, but stored once. Photos \
            already in the library are not uploaded again; nothing is replaced or removed. An interrupted import resumes \
            when you run it again.
            """
    )

    @OptionGroup var arguments: ServiceImportArguments<EnteFacts>

    @OptionGroup var common: CommonOptions

    func start(
        _ parts: [URL], _ options: ServiceImportOptions, in library: PhotolalaLibrary
    ) -> Transfer<TransferProgress, EnteImportReport> {
        library.importEnteExport(parts, options: options)
    }
}

extension EnteFacts: ServiceFacts {
    static let service = PhotoService.ente

    var counts: [(text: String, number: Int)] {
        [("Hidden in Ente (imported as hidden)", hidden), ("Captions (in the stored JSON files)", captions)]
    }
}
