"""Calls that mypy --strict and pyright refuse. The mark of a line says what is wrong; nothing runs this file."""

import cranfield
from cranfield import testing

QRELS = {"q": {"d": 1}}
RUNS = {"bm25": {"q": {"d": 1.0}}}

cranfield.evaluate()  # missing
cranfield.evaluate(QRELS, RUNS, labels="robots")  # literal
cranfield.evaluate("track.db", answers=True)  # keyword
cranfield.evaluate("track.db", subject="answers")  # type
cranfield.subjects.GeneratedAnswers(nuggets="nobody")  # literal
cranfield.subjects.GeneratedAnswers(nugget="people")  # keyword
cranfield.curve()  # missing
cranfield.curve(QRELS, RUNS, smooth=True)  # keyword
cranfield.curve(QRELS, RUNS, points="ten")  # literal
cranfield.correlate({"a": 0.1})  # overload
cranfield.correlate({"a": 0.1}, {"a": 0.2}, how="tau")  # overload
cranfield.compare()  # missing
cranfield.compare(QRELS, RUNS, base="bm25")  # keyword
cranfield.fuse()  # missing
cranfield.fuse(RUNS, methods="rrf")  # keyword
cranfield.open_collection()  # missing
cranfield.open_collection("track.db", topics="train")  # keyword
cranfield.open_collection("track.db").select(judged="some")  # literal
cranfield.read_runs()  # missing
cranfield.read_qrels("qrels.txt", encoding="utf-8")  # keyword
cranfield.read_qrels("track.db", labels="robots")  # literal
cranfield.read_corpus()  # missing
cranfield.read_topics("topics.tsv", encoding="utf-8")  # keyword
cranfield.Evaluator()  # missing
cranfield.Evaluator(QRELS, "AP", topics=["q"])  # keyword
cranfield.Store.open()  # missing
cranfield.Store.open("track.db", mode="r")  # keyword

cranfield.trust.reusability()  # missing
cranfield.trust.reusability(QRELS, RUNS, online=True)  # keyword
cranfield.trust.leave_one_out(QRELS, RUNS, deep=10)  # keyword
cranfield.trust.diagnose()  # missing
cranfield.trust.diagnose(QRELS, RUNS, seed=1)  # keyword
cranfield.trust.diagnose(QRELS, RUNS, RUNS["bm25"], labels="robots")  # literal
cranfield.trust.write_report(QRELS)  # missing
cranfield.trust.depths()  # missing
cranfield.trust.depths(QRELS, RUNS, by="user")  # literal
cranfield.trust.stability(QRELS, RUNS, seeds=1)  # keyword
cranfield.trust.stability("track.db", labels="robots")  # literal
cranfield.trust.stability("track.db", rng=0.5)  # type
cranfield.trust.depths({"q": {"d": "relevant"}}, RUNS, teams=7)  # type

cranfield.store.info()  # missing
cranfield.store.import_runs("track.db")  # missing
cranfield.store.import_qrels("track.db", "qrels.txt", kind="robot")  # literal
cranfield.store.import_topics("track.db", "topics.tsv", languages="en")  # keyword
cranfield.store.withdraw("track.db", "people", ["ann"], reason="left")  # literal
cranfield.store.create_release("track.db", "1.0", day="today")  # keyword
cranfield.store.verify("track.db", fix=True)  # keyword
cranfield.store.remove("track.db", "planet", ["x"])  # literal
cranfield.store.erase("track.db", "assessor", "ada")  # missing
cranfield.store.upgrade_store("track.db", backup=True)  # keyword

cranfield.topics.save_set("track.db", "train")  # missing
cranfield.topics.split_into_folds("track.db", "fold")  # missing
cranfield.topics.split_into_folds("track.db", "fold", folds=5, seed=1)  # keyword
cranfield.topics.split_into_folds("track.db", "fold", folds="five")  # type
cranfield.topics.measure_hardness(QRELS, RUNS, measures="AP")  # keyword
cranfield.topics.choose_next("track.db", judged="some")  # literal

cranfield.pooling.build_pool()  # missing
cranfield.pooling.build_pool("track.db", deep=10)  # keyword
cranfield.pooling.build_pool("track.db", depth="ten")  # type
cranfield.pooling.build_pool("track.db", rng="seven")  # type
cranfield.pooling.summarize_pool("track.db", by="user")  # literal
cranfield.pooling.compare_pools("track.db", 1)  # missing
cranfield.pooling.simulate_methods(QRELS, RUNS, by="user")  # literal
cranfield.pooling.verify_pool(QRELS, RUNS, budget=10)  # keyword
cranfield.pooling.forecast_completeness()  # missing
cranfield.pooling.forecast_completeness(QRELS, RUNS, seed=1)  # keyword
cranfield.pooling.forecast_completeness(QRELS, RUNS, draw=6)  # type

cranfield.judging.progress("track.db", section="hours")  # literal
cranfield.judging.explain_label("track.db", "q")  # missing
cranfield.judging.measure_agreement("track.db", by="user")  # literal
cranfield.judging.assign_topics("track.db", people=["ann"])  # keyword
cranfield.judging.choose_labels("track.db", label="people")  # keyword
cranfield.judging.invite_assessor("track.db")  # missing

cranfield.metrics.parse()  # missing
cranfield.metrics.parse("AP", rel=2)  # keyword
cranfield.metrics.register("mine", len, aggregate="median")  # literal

cranfield.models.assess("track.db")  # missing
cranfield.models.Asking("qwen", "http://localhost:8000/v1", again="some")  # literal
cranfield.models.form_panel("track.db", ["a", "b"], "panel", method="dice")  # literal
cranfield.models.draw_audit_sample("track.db", "qwen", "bob", 50, by="user")  # literal

cranfield.answers.make_nuggets("track.db")  # missing
cranfield.answers.list_nuggets("track.db", labels="robots")  # literal
cranfield.answers.label_support("track.db", cranfield.models.Asking("qwen"), tokens=1)  # keyword

cranfield.online.interleave()  # missing
cranfield.online.compare_arms("track.db")  # missing
cranfield.online.compare_arms("track.db", control="a", unit="click")  # literal
cranfield.online.fit_click_model("track.db", networks="dbn")  # keyword

cranfield.rounds.start("track.db")  # missing
cranfield.rounds.summarize("track.db", round="1")  # keyword
cranfield.tasks.invite("track.db")  # missing
cranfield.tasks.list_results("track.db", measure="AP")  # keyword
cranfield.recipes.build_collection("cranfield")  # missing
cranfield.publish.build_folder("track.db")  # missing
cranfield.publish.build_folder("track.db", "folder", log="some")  # literal
cranfield.plot.score_distribution()  # missing
cranfield.plot.difference_bars({}, "a")  # missing
testing.check_measure()  # missing
testing.check_pooling_method("depth", laws=["sizes"])  # keyword
