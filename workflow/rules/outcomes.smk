TIMED = "|".join(STUDY.timed_experiments()) or "(?!)"


rule outcomes:
    input:
        inputs("outcomes"),
    output:
        "results/{scale}/outcomes/{experiment}/{algorithm}/{block}.h5",
    log:
        "results/{scale}/logs/outcomes/{experiment}/{algorithm}/{block}.log",
    benchmark:
        "results/{scale}/benchmarks/outcomes/{experiment}/{algorithm}/{block}.tsv"
    wildcard_constraints:
        experiment=rf"(?!(?:{TIMED})/)\w+",
    group:
        shared("outcomes")
    conda:
        "../../envs/nonconvex.yaml"
    threads: 1
    resources:
        mem_mb=memory("outcomes"),
        runtime=minutes("outcomes"),
        gres=gpus("outcomes"),
    params:
        plan=plan("outcomes"),
        code=code("outcomes"),
    message:
        "Running {wildcards.algorithm} on trials {wildcards.block} of {wildcards.experiment}"
    shell:
        "python -m nonconvex outcomes --plan {params.plan:q} --digest {params.code} "
        "--input {input} --output {output} > {log} 2>&1"


use rule outcomes as timed_outcomes with:
    wildcard_constraints:
        experiment=TIMED,
    # Every core that the run has, so that nothing else runs beside it; the process itself uses one.
    threads: 1024
    message:
        "Timing {wildcards.algorithm} on trials {wildcards.block} of {wildcards.experiment}, alone"
